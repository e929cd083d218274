// Matrices multiplied in tiles by target tasks, the next tile on its way while one is computed. OpenMP 5.1, 2.14.5
//@ devices: 1 3
#include "device.h"

#define N 64
#define TILE 16

static int a[N][N], b[N][N], c[N][N];

int main(void) {
    for (int i = 0; i < N * N; i++) {
        a[i / N][i % N] = i % 13 - 6;
        b[i / N][i % N] = i % 7 - 3;
    }
    int devices = omp_get_num_devices() ? omp_get_num_devices() : 1;
    for (int d = 0; d < devices; d++) {
#pragma omp target enter data map(to : b) device(d) nowait depend(out : c[d])
    }
    for (int t = 0; t < N; t += TILE) {
        int d = t / TILE % devices;
#pragma omp target map(to : a[t : TILE]) map(from : c[t : TILE]) device(d) nowait depend(in : c[d]) firstprivate(t)
#pragma omp teams distribute parallel for collapse(2)
        for (int i = t; i < t + TILE; i++)
            for (int j = 0; j < N; j++) {
                int sum = 0;
                for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
                c[i][j] = sum;
            }
    }
#pragma omp taskwait
    for (int d = 0; d < devices; d++) {
#pragma omp target exit data map(release : b) device(d)
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            int sum = 0;
            for (int k = 0; k < N; k++) sum += a[i][k] * b[k][j];
            CHECK_EQ(c[i][j], sum);
        }
    return verdict();
}
