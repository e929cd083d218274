// cancel taskgroup in the tasks of a taskloop: its group is cancelled, and the next taskloop is whole. OpenMP 5.1, 2.20.1
//@ stock-fails: clang because libomp hangs
//@ env: OMP_CANCELLATION=true
#include "check.h"

int main(void) {
    for (int round = 0; round < 20; round++) {
        int first = 0, second = 0;
#pragma omp parallel shared(first, second)
#pragma omp single
        {
#pragma omp taskloop grainsize(1)
            for (int i = 0; i < 60; i++) {
                __atomic_fetch_add(&first, 1, __ATOMIC_RELAXED);
#pragma omp cancel taskgroup
                CHECK(0, "behind the cancellation");
            }
#pragma omp taskloop grainsize(3)
            for (int i = 0; i < 60; i++) __atomic_fetch_add(&second, 1, __ATOMIC_RELAXED);
        }
        CHECK(first >= 1 && first <= 60, "%d", first);
        CHECK_EQ(second, 60);
    }
    return verdict();
}
