// A bad OMP_NUM_THREADS (`99999999999999999999`) gives one line that names it and the default number of threads.
// OpenMP 5.1, 6.2, 2.4.1
//@ stock-fails: clang because libomp aborts on a number that does not fit
//@ env: OMP_NUM_THREADS=99999999999999999999
//@ expect-stderr: OMP_NUM_THREADS 99999999999999999999
#include "check.h"

int main(void) {
    CHECK(omp_get_max_threads() >= 1 && omp_get_max_threads() <= 4096, "%d", omp_get_max_threads());
    CHECK_EQ(omp_get_max_threads(), omp_get_num_procs());
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_num_procs());
    return verdict();
}
