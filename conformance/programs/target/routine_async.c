// omp_target_memcpy_async and omp_target_memcpy_rect_async, with and without dependences. OpenMP 5.1, 3.8.7-8
//@ needs: offload 17, clang 17
//@ devices: 1 3
//@ cannot: gcc because libgomp 12 has no such routines to declare
//@ stock-fails: clang because libomptarget crashes in a program without device code
#include "device.h"

#define N 500

int main(void) {
    int host = omp_get_initial_device(), device = omp_get_default_device(), a[N], b[N];
    for (int i = 0; i < N; i++) a[i] = i, b[i] = -1;
    int *d = omp_target_alloc(sizeof a, device), *e = omp_target_alloc(sizeof a, device);
    omp_depend_t on_d = NULL, on_e = NULL;
#pragma omp depobj(on_d) depend(inout : *d)
#pragma omp depobj(on_e) depend(inout : *e)
    omp_depend_t both[2] = {on_d, on_e};
    CHECK_EQ(omp_target_memcpy_async(d, a, sizeof a, 0, 0, device, host, 1, &on_d), 0);
#pragma omp target is_device_ptr(d) depend(inout : *d) nowait
    for (int i = 0; i < N; i++) d[i] *= 2;
    CHECK_EQ(omp_target_memcpy_async(e, d, sizeof a, 0, 0, device, device, 2, both), 0);
    CHECK_EQ(omp_target_memcpy_async(b, e, sizeof a, 0, 0, host, device, 1, &on_e), 0);
#pragma omp taskwait
    for (int i = 0; i < N; i++) CHECK_EQ(b[i], 2 * i);
    CHECK_EQ(omp_target_memcpy_async(d, a, sizeof a, 0, 0, device, host, 0, NULL), 0);
#pragma omp taskwait
    size_t volume[2] = {3, 4}, zero[2] = {0, 0}, from[2] = {2, 3}, small[2] = {3, 4}, full[2] = {20, 25};
    CHECK_EQ(omp_target_memcpy_rect_async(b, d, sizeof(int), 2, volume, zero, from, small, full, host, device, 1, &on_d), 0);
#pragma omp taskwait
    for (int i = 0; i < 12; i++) CHECK_EQ(b[i], 25 * (2 + i / 4) + 3 + i % 4);
    CHECK(omp_target_memcpy_rect_async(NULL, NULL, 4, 2, NULL, NULL, NULL, NULL, NULL, host, device, 0, NULL) >= 3, "dimensions");
#pragma omp taskwait
#pragma omp depobj(on_d) destroy
#pragma omp depobj(on_e) destroy
    omp_target_free(d, device);
    omp_target_free(e, device);
    return verdict();
}
