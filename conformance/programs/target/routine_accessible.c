// omp_target_is_accessible of host memory and of device memory. The compilers' own libraries lack it, so it is looked up.
// OpenMP 5.1, 3.8.4
//@ devices: 1 3
//@ libs: dl
#define _GNU_SOURCE
#include <dlfcn.h>

#include "device.h"

int main(void) {
    int (*accessible)(const void *, size_t, int) = (int (*)(const void *, size_t, int))dlsym(RTLD_DEFAULT, "omp_target_is_accessible");
    if (accessible) {
        int host = omp_get_initial_device(), x[10], *p = x;
        CHECK(accessible(x, sizeof x, host), "the host's memory on the host");
        for (int d = 0; d < omp_get_num_devices(); d++) {
            // If the device can reach the host's memory, it may use it without a map.
            FILL(x, 10, d);
            if (accessible(x, sizeof x, d)) {
#pragma omp target device(d) is_device_ptr(p)
                p[3] = -d;
                CHECK_EQ(x[3], -d);
            }
        }
        CHECK(!accessible(x, sizeof x, host + 5), "a device that is none");
    }
    return verdict();
}
