// omp_target_memcpy between host and devices and between devices, with offsets. OpenMP 5.1, 3.8.5
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
#include "device.h"

#define N 1000

int main(void) {
    int host = omp_get_initial_device(), a[N], b[N];
    size_t all = sizeof a, one = sizeof(int);
    for (int i = 0; i < N; i++) a[i] = i;
    for (int d = 0; d <= host; d++) {
        int *p = omp_target_alloc(all, d), *q = omp_target_alloc(all, d);
        FILL(b, N, -1);
        CHECK_EQ(omp_target_memcpy(p, a, all, 0, 0, d, host), 0);
        CHECK_EQ(omp_target_memcpy(q, p, all, 0, 0, d, d), 0);
        CHECK_EQ(omp_target_memcpy(b, q, all, 0, 0, host, d), 0);
        for (int i = 0; i < N; i++) CHECK_EQ(b[i], i);
        CHECK_EQ(omp_target_memcpy(p, a, 10 * one, 500 * one, 20 * one, d, host), 0);
        CHECK_EQ(omp_target_memcpy(b, p, 5 * one, 0, 502 * one, host, d), 0);
        for (int i = 0; i < 5; i++) CHECK_EQ(b[i], 22 + i);
        CHECK_EQ(omp_target_memcpy(b, p, 0, 0, 0, host, d), 0);
        for (int e = 0; e <= host; e++) {
            int *r = omp_target_alloc(all, e);
            CHECK_EQ(omp_target_memcpy(r, q, all, 0, 0, e, d), 0);
            FILL(b, N, -1);
            CHECK_EQ(omp_target_memcpy(b, r, all, 0, 0, host, e), 0);
            for (int i = 0; i < N; i++) CHECK_EQ(b[i], i);
            omp_target_free(r, e);
        }
        omp_target_free(p, d);
        omp_target_free(q, d);
    }
    CHECK_EQ(omp_target_memcpy(b, a, all, 0, 0, host, host), 0);
    CHECK_EQ(b[N - 1], N - 1);
    return verdict();
}
