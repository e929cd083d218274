// distribute simd, distribute parallel for simd and loop in a league: every iteration once. OpenMP 5.1, 2.11.5.3, 2.11.6.2, 2.11.7
//@ needs: clang 14, gcc 10
#include "check.h"

enum { N = 333 };

int main(void) {
    int a[N] = {0}, b[N] = {0}, c[N] = {0}, d[N] = {0};
    long sum = 0;
#pragma omp teams distribute simd num_teams(3)
    for (int i = 0; i < N; i++) a[i] += i;
#pragma omp teams distribute parallel for simd num_teams(3) reduction(+ : sum) simdlen(4)
    for (int i = 0; i < N; i++) b[i] += i, sum += i;
#pragma omp teams loop num_teams(2)
    for (int i = 0; i < N; i++) c[i] += i;
#pragma omp teams num_teams(2)
    {
#pragma omp loop bind(teams)
        for (int i = 0; i < N; i++) d[i] += i;
    }
    for (int i = 0; i < N; i++) CHECK(a[i] == i && b[i] == i && c[i] == i && d[i] == i, "%d: %d %d %d %d", i, a[i], b[i], c[i], d[i]);
    CHECK_EQ(sum, (long)N * (N - 1) / 2);
    return verdict();
}
