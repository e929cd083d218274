// A variable whose ICV is the same for all devices has no form for one.
// OpenMP 5.1, 2.4.2, restrictions
//@ env: OMP_MAX_TASK_PRIORITY_DEV_0=4
//@ threads: 2
//@ expect-stderr: OMP_MAX_TASK_PRIORITY_DEV_0 no device-specific form
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_max_task_priority(), 0);
    return verdict();
}
