// OMP_AVAILABLE_DEVICES that selects no device: target regions run on the host. OpenMP 6.0, 4.3.7
//@ devices: 1 3
//@ stock-fails: offload because libomptarget does not know the variable
//@ env: OMP_AVAILABLE_DEVICES=!kind(nohost) || kind(fpga)
#include "device.h"

int main(void) {
    CHECK_EQ(omp_get_num_devices(), 0);
    CHECK_EQ(omp_get_initial_device(), 0);
    int host = 0;
#pragma omp target map(tofrom : host)
    host = omp_is_initial_device();
    CHECK_EQ(host, 1);
    return verdict();
}
