// The loop construct in target regions, with each binding. OpenMP 5.1, 2.11.7
//@ devices: 1 3
//@ needs: clang 14, gcc 10
#include "device.h"

#define N 500

int main(void) {
    int a[N];
    long sum = 0;
#pragma omp target teams loop map(from : a)
    for (int i = 0; i < N; i++) a[i] = i;
    for (int i = 0; i < N; i++) CHECK_EQ(a[i], i);
#pragma omp target parallel loop map(tofrom : a)
    for (int i = 0; i < N; i++) a[i] *= 2;
    for (int i = 0; i < N; i++) CHECK_EQ(a[i], 2 * i);
#pragma omp target teams map(tofrom : a)
#pragma omp loop bind(teams)
    for (int i = 0; i < N; i++) a[i] += 1;
    for (int i = 0; i < N; i++) CHECK_EQ(a[i], 2 * i + 1);
#pragma omp target teams loop reduction(+ : sum) map(tofrom : sum) collapse(2)
    for (int i = 0; i < 20; i++)
        for (int j = 0; j < 25; j++) sum += a[25 * i + j];
    CHECK_EQ(sum, N * N);
    return verdict();
}
