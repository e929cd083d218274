// What the programs of the corpus share: checks that any thread may make, and the verdict at the end.
#ifndef CORPUS_CHECK_H
#define CORPUS_CHECK_H

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

static int corpus_failures;

// Reports a failed check with its place and a message; only the first few are printed.
#define CHECK(condition, ...)                                                         \
    do {                                                                              \
        if (!(condition)) {                                                           \
            if (__atomic_fetch_add(&corpus_failures, 1, __ATOMIC_RELAXED) < 10) {     \
                flockfile(stdout);                                                    \
                printf("%s:%d: failed: %s: ", __FILE__, __LINE__, #condition);        \
                printf(__VA_ARGS__);                                                  \
                printf("\n");                                                         \
                fflush(stdout);                                                       \
                funlockfile(stdout);                                                  \
            }                                                                         \
        }                                                                             \
    } while (0)

// Two integers must be equal.
#define CHECK_EQ(got, want)                                                          \
    do {                                                                             \
        long long corpus_got = (long long)(got), corpus_want = (long long)(want);    \
        CHECK(corpus_got == corpus_want, "%s is %lld, expected %lld", #got, corpus_got, corpus_want); \
    } while (0)

// A directive inside a macro, from pieces that the macro is given: OMP(parallel for schedule(kind)).
#define OMP(...) CORPUS_PRAGMA(omp __VA_ARGS__)
#define CORPUS_PRAGMA(...) _Pragma(#__VA_ARGS__)

// The verdict: prints `ok` and gives 0, or gives 1.
static inline int verdict(void) {
    if (corpus_failures == 0) printf("ok\n");
    else printf("failed: %d checks\n", corpus_failures);
    fflush(stdout);
    return corpus_failures != 0;
}

// A little arithmetic that the compiler cannot remove, to let other threads in.
static inline unsigned spin_work(unsigned rounds) {
    volatile unsigned x = 1;
    for (unsigned i = 0; i < rounds; i++) x = x * 1664525u + 1013904223u;
    return x;
}

#endif
