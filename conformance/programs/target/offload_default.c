// OMP_TARGET_OFFLOAD=default: the device where there is one, else the host. OpenMP 5.1, 6.17
//@ devices: 0 1 3
//@ env: OMP_TARGET_OFFLOAD=default
#include "device.h"

int main(void) {
    int initial = -1;
#pragma omp target map(from : initial)
    initial = omp_is_initial_device();
    CHECK_EQ(initial, !separate());
    return verdict();
}
