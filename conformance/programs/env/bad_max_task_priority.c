// A bad OMP_MAX_TASK_PRIORITY gives one line that names it, and the default.
//@ env: OMP_MAX_TASK_PRIORITY=high
//@ threads: 2
//@ expect-stderr: OMP_MAX_TASK_PRIORITY high using
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    return verdict();
}
