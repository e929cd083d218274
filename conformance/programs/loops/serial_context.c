// Worksharing loops outside any parallel region run all iterations on the one thread, in order, under every schedule.
// OpenMP 5.1, 2.11.4 (binding to the implicit region)
#include "check.h"

#define TRY(clause)                                                \
    do {                                                           \
        int next = 0;                                              \
        OMP(for clause)                                            \
        for (int i = 0; i < 20; i++) {                             \
            CHECK(i == next, "%s: %d", #clause, i);                 \
            next++;                                                \
        }                                                          \
        CHECK_EQ(next, 20);                                        \
        long sum = 0;                                              \
        OMP(for clause)                                            \
        for (unsigned long i = 20; i > 0; i -= 5) sum += (long)i;  \
        CHECK_EQ(sum, 50);                                         \
    } while (0)

int main(void) {
    for (int round = 0; round < 20; round++) {
        TRY(schedule(static));
        TRY(schedule(static, 3));
        TRY(schedule(dynamic));
        TRY(schedule(dynamic, 6));
        TRY(schedule(guided));
        TRY(schedule(runtime));
        TRY(schedule(auto));
        TRY(schedule(dynamic) nowait);
        int next = 0;
#pragma omp for ordered schedule(dynamic)
        for (int i = 0; i < 9; i++) {
#pragma omp ordered
            {
                CHECK_EQ(i, next);
                next++;
            }
        }
        CHECK_EQ(next, 9);
    }
    return verdict();
}
