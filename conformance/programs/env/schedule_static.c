// OMP_SCHEDULE=`static` reaches omp_get_schedule and schedule(runtime) loops.
// OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=static
//@ threads: 1 3
#include "check.h"

int main(void) {
    omp_sched_t kind;
    int chunk, sum = 0;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ((unsigned)kind & 0x7fffffff, omp_sched_static);
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < 101; i++) sum += i;
    CHECK_EQ(sum, 5050);
    return verdict();
}
