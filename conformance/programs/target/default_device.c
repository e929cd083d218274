// omp_set_default_device, omp_get_default_device, and which device constructs go to. OpenMP 5.1, 2.4, 3.7.1-2
//@ devices: 1 3
//@ stock-fails: offload because its devices do not know their number
//@ needs: gcc 12
#include "device.h"

static int where(void) {
    int number = -1;
#pragma omp target map(from : number)
    number = omp_get_device_num();
    return number;
}

int main(void) {
    int devices = omp_get_num_devices(), host = omp_get_initial_device();
    CHECK_EQ(omp_get_default_device(), 0);
    CHECK_EQ(host, devices);
    CHECK_EQ(omp_get_device_num(), host);
    CHECK_EQ(omp_is_initial_device(), 1);
    for (int d = 0; d < devices; d++) {
        omp_set_default_device(d);
        CHECK_EQ(omp_get_default_device(), d);
        CHECK_EQ(where(), d);
    }
    omp_set_default_device(host);
    CHECK_EQ(where(), host);
    // Each task has a default device of its own.
    if (devices) omp_set_default_device(devices - 1);
#pragma omp parallel num_threads(3)
    {
        if (devices) CHECK_EQ(omp_get_default_device(), devices - 1);
        omp_set_default_device(0);
    }
    if (devices) {
        CHECK_EQ(where(), omp_get_default_device());
    }
    return verdict();
}
