// OMP_TARGET_OFFLOAD=mandatory with a device: target regions run there, and those with if(0) on the host. OpenMP 5.1, 6.17
//@ compilers: offload
//@ devices: 1 3
//@ env: OMP_TARGET_OFFLOAD=mandatory
#include "device.h"

int main(void) {
    int initial = -1, off = 0;
#pragma omp target map(from : initial)
    initial = omp_is_initial_device();
    CHECK_EQ(initial, 0);
#pragma omp target map(from : initial) if (off)
    initial = omp_is_initial_device();
    CHECK_EQ(initial, 1);
#pragma omp target map(from : initial) device(omp_get_initial_device())
    initial = omp_is_initial_device();
    CHECK_EQ(initial, 1);
    return verdict();
}
