// is_device_ptr: memory that a routine allocated on the device. OpenMP 5.1, 2.14.5, 3.8.1
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
#include "device.h"

int main(void) {
    int device = omp_get_default_device(), host = omp_get_initial_device(), n = 1000;
    int *d = omp_target_alloc(n * sizeof *d, device), *back = malloc(n * sizeof *back);
    CHECK(d != NULL, "no memory");
#pragma omp target is_device_ptr(d)
    for (int i = 0; i < n; i++) d[i] = i;
#pragma omp target teams distribute parallel for is_device_ptr(d) device(device)
    for (int i = 0; i < n; i++) d[i] *= 3;
    CHECK_EQ(omp_target_memcpy(back, d, n * sizeof *d, 0, 0, host, device), 0);
    for (int i = 0; i < n; i++) CHECK_EQ(back[i], 3 * i);
    omp_target_free(d, device);
    free(back);
    return verdict();
}
