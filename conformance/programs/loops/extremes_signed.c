// Signed loops at the ends of their ranges: INT_MIN and INT_MAX, LONG_MIN and LONG_MAX, large steps, empty ranges.
// (The specification wants every intermediate value of the count to fit the type, so the ranges keep a step away from its end.)
// OpenMP 5.1, 2.11.1 (canonical loop form)
#include <limits.h>

#include "check.h"

#define LOOP(kind, type, init, test, step, want)                                                \
    do {                                                                                            \
        unsigned long sum = 0, expected = 0;                                                        \
        int runs = 0, serial = 0;                                                                   \
        OMP(parallel for schedule kind reduction(+ : sum, runs))                                      \
        for (type i = init; i test; i step) sum += (unsigned long)i, runs++;                        \
        if ((want) > 0)                                                                             \
            for (type i = init;; i step) {                                                          \
                expected += (unsigned long)i;                                                       \
                if (++serial == (want)) break;                                                      \
            }                                                                                       \
        CHECK(runs == (want), "%s %s: %d runs instead of %d", #kind, #init #test #step, runs, want); \
        CHECK(sum == expected, "%s %s: sum", #kind, #init #test #step);                          \
    } while (0)

#define ALL(kind)                                                                       \
    LOOP(kind, int, INT_MAX - 12, < INT_MAX, += 1, 12); \
    LOOP(kind, int, INT_MIN, < INT_MIN + 9, += 2, 5); \
    LOOP(kind, int, INT_MIN + 9, > INT_MIN, -= 1, 9); \
    LOOP(kind, int, INT_MIN, < INT_MIN + 1500000000, += 600000000, 3); \
    LOOP(kind, int, INT_MAX, > INT_MAX - 1500000000, -= 600000000, 3); \
    LOOP(kind, int, -700000000, < 700000000, += 600000000, 3); \
    LOOP(kind, int, 4, < -4, += 1, 0); \
    LOOP(kind, int, -4, > 4, -= 1, 0); \
    LOOP(kind, int, 0, < 1, += INT_MAX, 1); \
    LOOP(kind, int, -3, <= 3, += 1, 7); \
    LOOP(kind, int, 3, >= -3, -= 3, 3); \
    LOOP(kind, long, LONG_MAX - 12, < LONG_MAX - 4, += 5, 2); \
    LOOP(kind, long, LONG_MIN, < LONG_MIN + 9, += 1, 9); \
    LOOP(kind, long, LONG_MIN + 9, > LONG_MIN + 3, -= 4, 2); \
    LOOP(kind, long, LONG_MIN, < LONG_MIN + 6000000000000000000, += 2000000000000000000, 3); \
    LOOP(kind, long, 0, < 0, += 1, 0); \
    LOOP(kind, long, 1, > 1, -= 1, 0); \
    LOOP(kind, short, -5, < 300, += 61, 5); \
    LOOP(kind, signed char, 60, > -40, -= 20, 5)

int main(void) {
    ALL((static));
    ALL((static, 2));
    ALL((dynamic));
    ALL((dynamic, 2));
    ALL((guided));
    ALL((guided, 3));
    omp_set_schedule(omp_sched_static, 2);
    ALL((runtime));
    return verdict();
}
