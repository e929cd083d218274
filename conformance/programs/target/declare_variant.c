// declare variant for device code: the region calls the device's version where it runs on the device. OpenMP 5.1, 2.3.5
//@ devices: 1 3
//@ cannot: gcc because gcc 12 does not resolve the variant on the host
#include "device.h"

#pragma omp declare target
int on_device(void) { return 2; }
#pragma omp declare variant(on_device) match(device = {kind(nohost)})
int on_host(void) { return 1; }
#pragma omp end declare target

int main(void) {
    int r = 0;
#pragma omp target map(from : r)
    r = on_host();
    CHECK(r == 1 || r == 2, "%d", r);
    CHECK_EQ(on_host(), 1);
    return verdict();
}
