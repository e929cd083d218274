// omp_target_memset and its asynchronous form. OpenMP 6.0, 25.7.9 (offered by earlier runtimes too)
//@ devices: 1 3
//@ cannot: gcc because libgomp 12 has no such routines to declare
//@ stock-fails: clang because libomptarget crashes in a program without device code
//@ needs: clang 18
#include "device.h"

int main(void) {
    int host = omp_get_initial_device(), device = omp_get_default_device();
    unsigned char back[300];
    unsigned char *d = omp_target_alloc(sizeof back, device);
    CHECK(omp_target_memset(d, 0xab, sizeof back, device) == d, "another pointer");
    CHECK(omp_target_memset(d + 100, 7, 50, device) == d + 100, "another pointer");
    CHECK(omp_target_memset(d, 9, 0, device) == d, "another pointer");
    CHECK_EQ(omp_target_memcpy(back, d, sizeof back, 0, 0, host, device), 0);
    for (int i = 0; i < 300; i++) CHECK_EQ(back[i], i >= 100 && i < 150 ? 7 : 0xab);
    omp_depend_t order;
#pragma omp depobj(order) depend(inout : *d)
    CHECK(omp_target_memset_async(d, 1, 200, device, 1, &order) == d, "another pointer");
    CHECK(omp_target_memset_async(d, 2, 100, device, 1, &order) == d, "another pointer");
    CHECK_EQ(omp_target_memcpy_async(back, d, sizeof back, 0, 0, host, device, 1, &order), 0);
#pragma omp taskwait
    for (int i = 0; i < 300; i++) CHECK_EQ(back[i], i < 100 ? 2 : i < 200 ? 1 : 0xab);
#pragma omp depobj(order) destroy
    CHECK(omp_target_memset(back, 3, sizeof back, host) == back, "another pointer");
    CHECK_EQ(back[299], 3);
    omp_target_free(d, device);
    return verdict();
}
