// Interpolates in a table that is private to each thread. Every parallel region copies the whole table to every thread.
// slow: cause: copyin-large
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: share the table
#include "../slow.h"

enum { ENTRIES = 65536, QUESTIONS = 30000 };

static double table[ENTRIES + 1];
#ifndef MENDED
#pragma omp threadprivate(table)
#endif
static double answer[QUESTIONS];

static void tabulate(void) {
    for (int i = 0; i <= ENTRIES; i++) {
        double x = (double)i / ENTRIES;
        table[i] = x / (1.0 + x * x);
    }
}

static double interpolate(double x) {
    int place = (int)(x * ENTRIES);
    double rest = x * ENTRIES - place;
    return table[place] * (1.0 - rest) + table[place + 1] * rest;
}

static void ask(long round) {
#ifdef MENDED
#pragma omp parallel for
#else
#pragma omp parallel for copyin(table) // slow: here
#endif
    for (int i = 0; i < QUESTIONS; i++) answer[i] = interpolate(fraction(i + round));
}

static double total(void) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < QUESTIONS; i++) sum += answer[i];
    return sum;
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 8000);
    double sum = 0.0;
    tabulate();
    for (long round = 0; round < rounds; round++) {
        ask(round);
        sum += total();
    }
    return finish(sum > 0.0, sum / (double)rounds);
}
