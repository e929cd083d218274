// Chains of target tasks by dependences, mixed with tasks of the host. OpenMP 5.1, 2.14.5, 2.19.11
//@ devices: 1 3
#include "device.h"

#define N 256

int main(void) {
    int *a = malloc(N * sizeof *a), *b = malloc(N * sizeof *b);
    long sum = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : a[0 : N])
        for (int i = 0; i < N; i++) a[i] = i;
#pragma omp target enter data map(to : a[0 : N]) depend(inout : a[0 : N]) nowait
#pragma omp target depend(inout : a[0 : N]) nowait
        for (int i = 0; i < N; i++) a[i] *= 2;
#pragma omp target map(from : b[0 : N]) depend(in : a[0 : N]) depend(out : b[0 : N]) nowait
        for (int i = 0; i < N; i++) b[i] = a[i] + 1;
#pragma omp target exit data map(from : a[0 : N]) depend(inout : a[0 : N]) nowait
#pragma omp task depend(in : a[0 : N], b[0 : N]) shared(sum)
        for (int i = 0; i < N; i++) sum += a[i] + b[i];
#pragma omp taskwait
    }
    CHECK_EQ(sum, 4L * N * (N - 1) / 2 + N);
    int x = 1;
    for (int i = 0; i < 30; i++) {
#pragma omp target map(tofrom : x) depend(inout : x) nowait
        x += i;
#pragma omp task depend(inout : x) shared(x)
        x = x % 1000 + 1;
    }
#pragma omp taskwait
    int want = 1;
    for (int i = 0; i < 30; i++) want = (want + i) % 1000 + 1;
    CHECK_EQ(x, want);
    free(a);
    free(b);
    return verdict();
}
