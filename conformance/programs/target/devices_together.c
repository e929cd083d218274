// A computation over all devices at once: each takes a part by nowait, and parts move from one to the next. OpenMP 5.1, 2.14, 3.8.5
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
#include "device.h"

#define N 300

int main(void) {
    int devices = omp_get_num_devices() ? omp_get_num_devices() : 1, a[N];
    for (int i = 0; i < N; i++) a[i] = i;
    for (int d = 0; d < devices; d++) {
        int low = N * d / devices, high = N * (d + 1) / devices;
#pragma omp target map(tofrom : a[low : high - low]) device(d) nowait firstprivate(d)
        for (int i = low; i < high; i++) a[i] = a[i] * 10 + d;
    }
#pragma omp taskwait
    for (int i = 0; i < N; i++) {
        int d = 0;
        while (i >= N * (d + 1) / devices) d++;
        CHECK_EQ(a[i], i * 10 + d);
    }
    // Round the devices.
    int *p[64] = {NULL}, host = omp_get_initial_device(), result[16];
    FILL(result, 16, 1);
    for (int d = 0; d < devices; d++) p[d] = omp_target_alloc(sizeof result, d);
    CHECK_EQ(omp_target_memcpy(p[0], result, sizeof result, 0, 0, 0, host), 0);
    for (int step = 0; step < 2 * devices; step++) {
        int d = step % devices, next = (step + 1) % devices, *mine = p[d];
#pragma omp target is_device_ptr(mine) device(d)
        for (int i = 0; i < 16; i++) mine[i] += i;
        if (next != d) CHECK_EQ(omp_target_memcpy(p[next], p[d], sizeof result, 0, 0, next, d), 0);
    }
    CHECK_EQ(omp_target_memcpy(result, p[0], sizeof result, 0, 0, host, 0), 0);
    for (int i = 0; i < 16; i++) CHECK_EQ(result[i], 1 + 2 * devices * i);
    for (int d = 0; d < devices; d++) omp_target_free(p[d], d);
    return verdict();
}
