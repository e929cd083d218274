// omp_get_max_threads tells nthreads-var, which a thread limit leaves as it is; regions get no more than the limit.
// OpenMP 5.1, 2.6.1, 3.2.3
//@ env: OMP_THREAD_LIMIT=4
//@ env: OMP_NUM_THREADS=6
//@ env: KMP_WARNINGS=0
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_max_threads(), 6);
    omp_set_num_threads(8);
    CHECK_EQ(omp_get_max_threads(), 8);
    CHECK_EQ(omp_get_thread_limit(), 4);
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 4);
    return verdict();
}
