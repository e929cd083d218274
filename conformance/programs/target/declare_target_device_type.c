// device_type(host) and (any), and nohost behind a variant. OpenMP 5.1, 2.14.7
//@ devices: 1 3
//@ cannot: gcc because gcc 12 does not call another version on the host
#include "device.h"

int where_host(void) { return 1; }
#pragma omp declare target to(where_host) device_type(host)

int anywhere(void) { return 3; }
#pragma omp declare target to(anywhere) device_type(any)

int on_device(void) { return 5; }
#pragma omp declare target to(on_device) device_type(nohost)
#pragma omp declare variant(on_device) match(device = {kind(nohost)})
int somewhere(void) { return 5; }
#pragma omp declare target to(somewhere)

int main(void) {
    int a = 0;
    CHECK_EQ(where_host() + anywhere(), 4);
#pragma omp target map(from : a)
    a = anywhere();
    CHECK_EQ(a, 3);
#pragma omp target map(from : a)
    a = somewhere();
    CHECK_EQ(a, 5);
    CHECK_EQ(somewhere(), 5);
    return verdict();
}
