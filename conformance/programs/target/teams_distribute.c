// target teams distribute, alone and with parallel for and simd, with schedules. OpenMP 5.1, 2.11.6, 2.14.5
//@ devices: 1 3
//@ flags: -Wno-pass-failed
#include "device.h"

#define N 1000

static void expect(int *a, int value) {
    for (int i = 0; i < N; i++) CHECK_EQ(a[i], i * value);
}

int main(void) {
    int a[N];
#pragma omp target teams distribute num_teams(3) map(from : a)
    for (int i = 0; i < N; i++) a[i] = i;
    expect(a, 1);
#pragma omp target teams distribute parallel for map(from : a)
    for (int i = 0; i < N; i++) a[i] = 2 * i;
    expect(a, 2);
#pragma omp target teams distribute parallel for simd map(from : a) num_teams(2) thread_limit(4)
    for (int i = 0; i < N; i++) a[i] = 3 * i;
    expect(a, 3);
#pragma omp target teams distribute simd map(from : a) simdlen(4)
    for (int i = 0; i < N; i++) a[i] = 4 * i;
    expect(a, 4);
#pragma omp target teams distribute dist_schedule(static, 7) map(from : a) num_teams(5)
    for (int i = 0; i < N; i++) a[i] = 5 * i;
    expect(a, 5);
#pragma omp target teams distribute parallel for dist_schedule(static, 64) schedule(static, 3) map(from : a)
    for (int i = 0; i < N; i++) a[i] = 6 * i;
    expect(a, 6);
#pragma omp target teams distribute parallel for schedule(dynamic, 5) map(from : a)
    for (int i = 0; i < N; i++) a[i] = 7 * i;
    expect(a, 7);
#pragma omp target teams num_teams(2) map(from : a)
    {
#pragma omp distribute
        for (int block = 0; block < 10; block++) {
#pragma omp parallel for
            for (int i = block * 100; i < block * 100 + 100; i++) a[i] = 8 * i;
        }
    }
    expect(a, 8);
    return verdict();
}
