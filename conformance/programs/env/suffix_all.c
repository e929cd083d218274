// _ALL speaks for the host where no variable without suffix does.
// OpenMP 5.1, 2.4.2, 6
//@ env: OMP_NUM_THREADS_ALL=3
//@ env: OMP_SCHEDULE_ALL=guided,5
//@ env: OMP_DYNAMIC_ALL=true
//@ env: OMP_DYNAMIC=false
//@ env: OMP_NUM_THREADS=
//@ stock-fails: clang because it does not know the suffix
//@ stock-fails: gcc because it does not know the suffix
#include "check.h"

int main(void) {
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(omp_get_max_threads(), 3);
    CHECK_EQ(kind, omp_sched_guided);
    CHECK_EQ(chunk, 5);
    CHECK_EQ(omp_get_dynamic(), 0);
    return verdict();
}
