// Numbers of devices that are none: the routines fail, and nothing happens. OpenMP 5.1, 3.8
//@ devices: 1 3
//@ stock-fails: offload because it ends the program
//@ stock-fails: clang because libomptarget crashes in a program without device code
//@ needs: gcc 13
#include "device.h"

int main(void) {
    int host = omp_get_initial_device(), bad[] = {-7, host + 1, host + 1000}, a[4] = {1, 2, 3, 4}, b[4] = {0};
    for (int i = 0; i < 3; i++) {
        int d = bad[i];
        CHECK(omp_target_alloc(16, d) == NULL, "memory of device %d", d);
        CHECK(omp_target_memcpy(b, a, sizeof a, 0, 0, d, host) != 0, "copied to device %d", d);
        CHECK(omp_target_memcpy(b, a, sizeof a, 0, 0, host, d) != 0, "copied from device %d", d);
        CHECK(!omp_target_is_present(a, d), "present on device %d", d);
        CHECK(omp_get_mapped_ptr(a, d) == NULL, "mapped on device %d", d);
        CHECK(omp_target_associate_ptr(a, b, sizeof a, 0, d) != 0, "associated on device %d", d);
        CHECK(omp_target_disassociate_ptr(a, d) != 0, "disassociated on device %d", d);
    }
    CHECK_EQ(b[3], 0);
    return verdict();
}
