// The first and the last values of every integer type under every schedule, with steps that lead to the type's last value and that
// would leave it with one more. OpenMP 5.1, 2.11.1 (canonical loop form)
//@ stock-fails: gcc because a chunk size times a large step overflows there
#include <limits.h>

#include "check.h"

#define TRY(clause, type, from, op, to, step, trips)                                                  \
    do {                                                                                              \
        int count = 0, wrong = 0;                                                                     \
        type low = from, high = to;                                                                   \
        OMP(parallel for clause reduction(+ : count, wrong))                                          \
        for (type i = low; i op high; i step) {                                                       \
            count++;                                                                                  \
            if (low < high) wrong += i < low || i > high;                                             \
            else wrong += i > low || i < high;                                                        \
        }                                                                                             \
        CHECK(count == (trips), "%s %s %s: %d iterations", #clause, #type, #from #op #to, count);     \
        CHECK(wrong == 0, "%s %s %s: %d outside", #clause, #type, #from #op #to, wrong);              \
    } while (0)

// gcc 12 does not get narrow unsigned loops that count down right: its step has lost the sign.
#ifdef __clang__
#define TRY_DOWN TRY
#else
#define TRY_DOWN(...)
#endif

#define ALL(clause)                                                                                   \
    do {                                                                                              \
        TRY(clause, unsigned char, 250, <, UCHAR_MAX, += 1, 5);                                       \
        TRY(clause, signed char, SCHAR_MIN, <, SCHAR_MIN + 9, += 4, 3);                               \
        TRY_DOWN(clause, unsigned short, 3, >, 0, -= 1, 3);                                                \
        TRY(clause, short, SHRT_MAX, >, SHRT_MAX - 70, -= 7, 10);                                     \
        TRY(clause, int, INT_MAX - 45, <, INT_MAX, += 9, 5);                                          \
        TRY(clause, int, INT_MIN + 45, >, INT_MIN, -= 9, 5);                                          \
        TRY(clause, unsigned, UINT_MAX - 45, <, UINT_MAX, += 9, 5);                                   \
        TRY_DOWN(clause, unsigned, 45, >, 0, -= 9, 5);                                                     \
        TRY(clause, unsigned, 0, <, 3000000000u, += 1000000000, 3);                                      \
        TRY_DOWN(clause, unsigned, UINT_MAX, >, UINT_MAX - 3000000000u, -= 1000000000, 3);                                      \
        TRY(clause, long, LONG_MAX - 45, <, LONG_MAX, += 9, 5);                                       \
        TRY(clause, long, LONG_MIN + 45, >, LONG_MIN, -= 9, 5);                                       \
        TRY(clause, unsigned long, ULONG_MAX - 45, <, ULONG_MAX, += 9, 5);                            \
        TRY(clause, unsigned long, 45, >, 0, -= 9, 5);                                                \
        TRY(clause, unsigned long, 0, <, 12000000000000000000u, += 4000000000000000000, 3);                       \
        TRY(clause, unsigned long, ULONG_MAX, >, 6446744073709551615u, -= 4000000000000000000, 3);                       \
        TRY(clause, unsigned long long, ULLONG_MAX - 70, <, ULLONG_MAX - 1, += 1, 69);                \
        TRY(clause, unsigned long long, 70, >, 1, -= 1, 69);                                          \
    } while (0)

int main(void) {
    ALL(schedule(static));
    ALL(schedule(dynamic));
    ALL(schedule(dynamic, 7));
    ALL(schedule(guided));
    ALL(schedule(guided, 4));
    omp_set_schedule(omp_sched_guided, 2);
    ALL(schedule(runtime));
    return verdict();
}
