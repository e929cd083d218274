// OMP_TARGET_OFFLOAD=disabled: target regions run on the host.
// OpenMP 5.1, 6.17
//@ env: OMP_TARGET_OFFLOAD=disabled
//@ threads: 2
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_num_devices(), 0);
    CHECK_EQ(omp_is_initial_device(), 1);
#pragma omp parallel
    CHECK_EQ(omp_is_initial_device(), 1);
    return verdict();
}
