// Ordered loops over unsigned and 64-bit ranges that lie at the ends of their types, and several ordered loops in one region.
// OpenMP 5.1, 2.19.9
#include "check.h"

#define TRY(type, first, count, clause)                                                     \
    do {                                                                                    \
        int next = 0;                                                                       \
        OMP(parallel for ordered schedule clause)                                           \
        for (type i = (first); i < (type)(first) + (count); i++) {                          \
            _Pragma("omp ordered")                                                          \
            {                                                                               \
                CHECK_EQ(i - (type)(first), next);                                          \
                next++;                                                                     \
            }                                                                               \
        }                                                                                   \
        CHECK_EQ(next, count);                                                              \
    } while (0)

int main(void) {
    TRY(unsigned, 4294967200u, 41, (dynamic));
    TRY(unsigned, 2147483630u, 41, (static, 3));
    TRY(unsigned long, 18446744073709551500ul, 41, (dynamic, 2));
    TRY(unsigned long, 9223372036854775790ul, 41, (guided));
    TRY(long, -9223372036854775807L, 41, (static));
    int next = 0;
#pragma omp parallel
    for (int round = 0; round < 15; round++) {
#pragma omp for ordered schedule(dynamic) nowait
        for (int i = 0; i < 7; i++) {
#pragma omp ordered
            {
                CHECK_EQ(next % 7, i);
                next++;
            }
        }
#pragma omp barrier
    }
    CHECK_EQ(next, 105);
    return verdict();
}
