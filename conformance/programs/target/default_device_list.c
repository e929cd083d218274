// OMP_DEFAULT_DEVICE with a list: the first item that stands for a device which is available. OpenMP 6.0, 4.3.8
//@ needs: gcc 12
//@ devices: 1 3
//@ stock-fails: offload because libomp does not know lists
//@ stock-fails: clang because libomp does not know lists
//@ stock-fails: gcc because libgomp does not know lists
//@ env: OMP_DEFAULT_DEVICE=uid(nobody), kind(nohost)[1], 7, Initial
#include "device.h"

int main(void) {
    int count = omp_get_num_devices(), wanted = count > 1 ? 1 : omp_get_initial_device();
    CHECK_EQ(omp_get_default_device(), count > 1 ? 1 : -1); // omp_initial_device
    int number = -1;
#pragma omp target map(from : number)
    number = omp_get_device_num();
    CHECK_EQ(number, wanted);
    return verdict();
}
