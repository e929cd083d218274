// lastprivate takes the value of the sequentially last iteration whoever ran it; with firstprivate it also starts from outside.
// OpenMP 5.1, 2.21.4.5 (lastprivate clause)
#include "check.h"

#define TRY(clause)                                                                                 \
    for (int n = 1; n < 40; n += 3) {                                                               \
        int x = -1, array[3] = {0}, both = 1000;                                                    \
        OMP(parallel for lastprivate(x, array, both) firstprivate(both) schedule clause)            \
        for (int i = 0; i < n; i++) {                                                               \
            CHECK(both >= 1000, "%d", both);                                                        \
            x = i * 2;                                                                              \
            for (int k = 0; k < 3; k++) array[k] = i + k;                                           \
            both = 1000 + i;                                                                        \
        }                                                                                           \
        CHECK_EQ(x, (n - 1) * 2);                                                                   \
        for (int k = 0; k < 3; k++) CHECK_EQ(array[k], n - 1 + k);                                  \
        CHECK_EQ(both, 999 + n);                                                                    \
    }

int main(void) {
    TRY((static))
    TRY((static, 2))
    TRY((monotonic : dynamic))
    TRY((monotonic : dynamic, 3))
    TRY((guided))
    int index;
#pragma omp parallel for lastprivate(index) schedule(static, 1)
    for (index = 10; index > 0; index -= 4) spin_work(5);
    CHECK_EQ(index, -2);
    return verdict();
}
