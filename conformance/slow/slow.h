// What the programs of this corpus share: the scale of their work, numbers that look random, and their last line.
#ifndef SLOW_H
#define SLOW_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

// The count of repetitions at the scale that the first argument names, 1.0 without one.
static inline long repeated(int argc, char **argv, long count) {
    double scaled = (argc > 1 ? atof(argv[1]) : 1.0) * (double)count;
    return scaled < 1.0 ? 1 : (long)scaled;
}

// A number that looks random and depends on `seed` alone (splitmix64), so that threads need no shared state.
static inline uint64_t mixed(uint64_t seed) {
    uint64_t x = seed + 0x9e3779b97f4a7c15u;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

// As `mixed`, in [0, 1).
static inline double fraction(uint64_t seed) { return (double)(mixed(seed) >> 11) * 0x1p-53; }

// The program's last line and its exit status.
static inline int finish(int good, double checksum) {
    if (!good) {
        printf("wrong: %.8g\n", checksum);
        return 1;
    }
    printf("ok %.8g\n", checksum);
    return 0;
}

#endif
