// OMP_SCHEDULE=`fast:dynamic` is not a schedule: one line says so and static is used.
// OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=fast:dynamic
//@ expect-stderr: OMP_SCHEDULE fast:dynamic static
//@ threads: 2
#include "check.h"

int main(void) {
    omp_sched_t kind;
    int chunk, sum = 0;
    omp_get_schedule(&kind, &chunk);
    CHECK((unsigned)kind != 0, "no schedule");
#pragma omp parallel for schedule(runtime) reduction(+ : sum)
    for (int i = 0; i < 101; i++) sum += i;
    CHECK_EQ(sum, 5050);
    return verdict();
}
