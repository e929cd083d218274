// OMP_AVAILABLE_DEVICES: devices that it does not select do not exist, and the others are numbered from 0. OpenMP 6.0, 4.3.7
//@ needs: gcc 12
//@ devices: 3
//@ stock-fails: offload because libomptarget does not know the variable
//@ env: OMP_AVAILABLE_DEVICES=uid(nobody),kind(cpu)[1:],arch(nothing)
#include "device.h"

int main(void) {
    int count = omp_get_num_devices();
    CHECK(count == 2 || !separate(), "%d devices", count);
    CHECK_EQ(omp_get_initial_device(), count);
    for (int device = 0; device < count; device++) {
        int number = -1, host = -1;
#pragma omp target device(device) map(from : number, host)
        {
            number = omp_get_device_num();
            host = omp_is_initial_device();
        }
        CHECK_EQ(number, device);
        CHECK_EQ(host, 0);
    }
    int value = 0;
#pragma omp target map(tofrom : value)
    value++;
    CHECK_EQ(value, 1);
    return verdict();
}
