// OMP_DEFAULT_DEVICE sets the initial default-device-var.
// OpenMP 5.1, 6.15
//@ env: OMP_DEFAULT_DEVICE=4
//@ threads: 2
#include "check.h"

int main(void) {
    CHECK_EQ(omp_get_default_device(), 4);
#pragma omp parallel
    CHECK_EQ(omp_get_default_device(), 4);
    return verdict();
}
