// OMP_DEFAULT_DEVICE. OpenMP 5.1, 6.15
//@ devices: 3
//@ stock-fails: offload because its devices do not know their number
//@ env: OMP_DEFAULT_DEVICE=2
//@ needs: gcc 12
#include "device.h"

int main(void) {
    CHECK_EQ(omp_get_default_device(), 2);
    int number = -1;
#pragma omp target map(from : number)
    number = omp_get_device_num();
    CHECK_EQ(number, separate() ? 2 : omp_get_initial_device());
    return verdict();
}
