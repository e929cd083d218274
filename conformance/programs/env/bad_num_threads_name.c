// A name that stands for no number: one line says so, and the default stands. OpenMP 6.0, 4.1.3
//@ env: OMP_NUM_THREADS=n_cores(2)
//@ expect-stderr: OMP_NUM_THREADS n_cores(2) positive integers and names
#include "check.h"

int main(void) {
    CHECK(omp_get_max_threads() >= 1, "%d", omp_get_max_threads());
    return verdict();
}
