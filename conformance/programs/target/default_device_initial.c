// omp_set_default_device takes omp_initial_device: regions without a device clause run on the host then. OpenMP 5.2, 18.7.2, 18.7.3
//@ devices: 1 3
//@ stock-fails: gcc because libgomp 12 takes no such number
//@ stock-fails: offload because libomptarget has no code for the host's number
#include "device.h"

int main(void) {
    omp_set_default_device(-1); // omp_initial_device
    CHECK_EQ(omp_get_default_device(), -1);
    int host = 0;
#pragma omp target map(tofrom : host)
    host = omp_is_initial_device();
    CHECK_EQ(host, 1);
    omp_set_default_device(0);
    CHECK_EQ(omp_get_default_device(), 0);
#pragma omp target map(tofrom : host)
    host = omp_is_initial_device();
    CHECK_EQ(host, !separate());
    return verdict();
}
