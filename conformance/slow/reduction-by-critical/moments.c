// Mean and variance of walks of a drunkard. Both sums are kept in a critical section, once for each walk.
// slow: cause: reduction-by-critical
// slow: also: critical-contention
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: reduction
#include "../slow.h"

enum { WALKS = 40000, STEPS = 64 };

static int walk(uint64_t seed) {
    int place = 0;
    uint64_t random = mixed(seed);
    for (int step = 0; step < STEPS; step++) {
        place += 2 * (int)(random & 1) - 1;
        random = random >> 1 ^ (-(random & 1) & 0xd800000000000000u);
    }
    return place;
}

static void walks(long day, long *sum, long *squares) {
    long all = 0, all_squares = 0;
#ifdef MENDED
#pragma omp parallel for reduction(+ : all, all_squares)
#else
#pragma omp parallel for
#endif
    for (int i = 0; i < WALKS; i++) {
        int place = walk(day * WALKS + i);
#ifndef MENDED
#pragma omp critical // slow: here
#endif
        {
            all += place;
            all_squares += place * place;
        }
    }
    *sum += all;
    *squares += all_squares;
}

int main(int argc, char **argv) {
    long days = repeated(argc, argv, 250), sum = 0, squares = 0;
    for (long day = 0; day < days; day++) walks(day, &sum, &squares);
    double mean = (double)sum / (double)(days * WALKS), square = (double)squares / (double)(days * WALKS);
    return finish(mean < 1.0 && mean > -1.0 && square > STEPS / 2, square);
}
