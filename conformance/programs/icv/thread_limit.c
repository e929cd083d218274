// OMP_THREAD_LIMIT bounds the threads of the contention group: teams get no more, omp_get_thread_limit tells.
// OpenMP 5.1, 2.6.1, 6.10
//@ env: OMP_THREAD_LIMIT=4
//@ env: KMP_WARNINGS=0
//@ threads: 1 2 3 8 33
//@ stderr-may-hold-more:
#include "check.h"

int main(void) {
    int want = omp_get_max_threads(), size = 0;
    CHECK_EQ(omp_get_thread_limit(), 4);
    for (int round = 0; round < 10; round++) {
        size = 0;
#pragma omp parallel reduction(+ : size)
        {
            size++;
            CHECK_EQ(omp_get_thread_limit(), 4);
        }
        CHECK(size >= 1 && size <= 4 && size <= want, "%d", size);
#pragma omp parallel num_threads(3) reduction(+ : size)
        size++;
        CHECK(size <= 8, "%d", size);
    }
    return verdict();
}
