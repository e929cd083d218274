// Many threads start target tasks; the barrier waits for them. OpenMP 5.1, 2.14.5, 2.19.2
//@ devices: 1 3
#include "device.h"

#define N 200

int main(void) {
    int a[N];
    FILL(a, N, 0);
#pragma omp parallel
    {
#pragma omp for
        for (int i = 0; i < N; i++) {
            int *p = &a[i];
#pragma omp target nowait map(tofrom : p[0 : 1]) firstprivate(i)
            p[0] += i + 1;
        }
#pragma omp single
        for (int i = 0; i < N; i++) CHECK_EQ(a[i], i + 1);
#pragma omp single nowait
        for (int i = 0; i < N; i++) {
            int *p = &a[i];
#pragma omp target nowait map(tofrom : p[0 : 1])
            p[0] *= 2;
        }
    }
    for (int i = 0; i < N; i++) CHECK_EQ(a[i], 2 * i + 2);
    return verdict();
}
