// requires unified_address: device pointers are usable where host pointers are. OpenMP 5.1, 2.5.1
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
//@ needs: gcc 13
#include "device.h"
#pragma omp requires unified_address

int main(void) {
    int device = omp_get_default_device();
    int *d = omp_target_alloc(10 * sizeof *d, device), back[10];
    // No is_device_ptr is needed.
#pragma omp target
    FILL(d, 10, 3);
    CHECK_EQ(omp_target_memcpy(back, d, sizeof back, 0, 0, omp_get_initial_device(), device), 0);
    CHECK_EQ(back[0] + back[9], 6);
    omp_target_free(d, device);
    return verdict();
}
