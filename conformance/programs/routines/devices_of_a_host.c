// Without devices the host is device 0, the initial one, and the default.
// OpenMP 5.1, 3.7
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_num_devices(), 0);
    CHECK_EQ(omp_get_initial_device(), 0);
    CHECK_EQ(omp_is_initial_device(), 1);
    CHECK_EQ(omp_get_default_device(), 0);
    CHECK(omp_get_num_procs() >= 1, "%d", omp_get_num_procs());
    omp_set_default_device(3);
    CHECK_EQ(omp_get_default_device(), 3);
#pragma omp parallel num_threads(2)
    {
        CHECK_EQ(omp_get_default_device(), 3);
        CHECK_EQ(omp_is_initial_device(), 1);
        CHECK_EQ(omp_get_num_procs() >= 1, 1);
    }
    CHECK_EQ(omp_get_max_task_priority(), 0);
    CHECK_EQ(omp_get_cancellation(), 0);
    return verdict();
}
