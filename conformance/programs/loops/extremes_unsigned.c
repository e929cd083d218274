// Unsigned loops at the ends of their ranges: up to the largest value, from it down, large steps.
// (The specification wants every intermediate value of the count to fit the type, so the ranges keep a step away from its end.)
// OpenMP 5.1, 2.11.1 (canonical loop form)
#include <limits.h>

#include "check.h"

static int count;

#define LOOP(kind, type, init, test, step, want)                                                \
    do {                                                                                            \
        unsigned long sum = 0, expected = 0;                                                        \
        int runs = 0, serial = 0;                                                                   \
        OMP(parallel for schedule kind reduction(+ : sum, runs))                                      \
        for (type i = init; i test; i step) sum += (unsigned long)i, runs++;                        \
        for (type i = init; i test; i step) {                                                       \
            expected += (unsigned long)i, serial++;                                                 \
            if (serial == (want)) break;                                                            \
        }                                                                                           \
        CHECK(runs == (want), "%s %s: %d runs instead of %d", #kind, #init #test #step, runs, want); \
        CHECK(sum == expected, "%s %s: sum", #kind, #init #test #step);                          \
        count++;                                                                                    \
    } while (0)

#define ALL(kind)                                                                       \
    LOOP(kind, unsigned, UINT_MAX - 10, < UINT_MAX, += 1, 10); \
    LOOP(kind, unsigned, UINT_MAX - 10, < UINT_MAX - 4, += 5, 2); \
    LOOP(kind, unsigned, 0, < 3000000000u, += 1000000007u, 3); \
    LOOP(kind, unsigned, 3, < 3, += 1, 0); \
    LOOP(kind, unsigned, 9, < 3, += 1, 0); \
    LOOP(kind, unsigned, 0, < 2147483648u, += 2147483647u, 2); \
    LOOP(kind, unsigned, 0, <= 10, += 3, 4); \
    LOOP(kind, unsigned long, ULONG_MAX - 10, < ULONG_MAX, += 1, 10); \
    LOOP(kind, unsigned long, ULONG_MAX, > ULONG_MAX - 9, -= 4, 3); \
    LOOP(kind, unsigned long, 0, < 12000000000000000000ul, += 4000000000000000037ul, 3); \
    LOOP(kind, unsigned long, 0, < 9223372036854775808ul, += 4611686018427387904ul, 2); \
    LOOP(kind, unsigned long, ULONG_MAX, > 6446744073709551615ul, -= 4000000000000000037ul, 3); \
    LOOP(kind, unsigned long, 5, < 5, += 1, 0); \
    LOOP(kind, unsigned long, 50, < 5, += 1, 0)

// Counting down in 32 bits. gcc 12 hands the runtime a positive step for these under every schedule but static.
#define DOWN(kind)                                                             \
    LOOP(kind, unsigned, UINT_MAX, > UINT_MAX - 7, -= 2, 4); \
    LOOP(kind, unsigned, UINT_MAX, > 1294967295u, -= 1000000007u, 3); \
    LOOP(kind, unsigned, 3, > 9, -= 1, 0); \
    LOOP(kind, unsigned, 11, >= 1, -= 1, 11)

int main(void) {
    ALL((static));
    ALL((static, 3));
    ALL((dynamic));
    ALL((dynamic, 3));
    ALL((guided));
    ALL((guided, 2));
    omp_set_schedule(omp_sched_dynamic, 1);
    ALL((runtime));
    CHECK_EQ(count, 98);
    DOWN((static));
    DOWN((static, 2));
#ifdef __clang__
    DOWN((dynamic));
    DOWN((dynamic, 2));
    DOWN((guided));
    DOWN((runtime));
#endif
    return verdict();
}
