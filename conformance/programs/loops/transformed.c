// Loop transformations, assumptions and metadirectives of gcc 15: what they make are loops like any others.
// OpenMP 5.1, 2.5.2, 2.11.9; OpenMP 6.0, sections 9.4, 10.6, 11
//@ compilers: gcc
//@ needs: gcc 15
#include "check.h"

enum { N = 37 };

int main(void) {
    int a[N][N] = {{0}}, b[N] = {0}, sum = 0;
#pragma omp parallel for collapse(2)
#pragma omp tile sizes(5, 7)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] += i * N + j;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) CHECK_EQ(a[i][j], i * N + j);
#pragma omp parallel for schedule(dynamic, 2) reduction(+ : sum)
#pragma omp unroll partial(4)
    for (int i = 0; i < N; i++) {
        b[i]++;
        sum += i;
    }
    CHECK_EQ(sum, N * (N - 1) / 2);
#pragma omp unroll full
    for (int i = 0; i < 8; i++) b[i]++;
    CHECK(b[7] == 2 && b[8] == 1, "unrolled");
#pragma omp parallel
#pragma omp assume no_openmp holds(sum > 0)
    {
#pragma omp metadirective when(user = {condition(sum > 0)} : for schedule(static, 1)) otherwise(single)
        for (int i = 0; i < N; i++) {
#pragma omp atomic
            b[i]++;
        }
    }
    CHECK(b[0] == 3 && b[N - 1] == 2, "%d %d", b[0], b[N - 1]);
    int threads = 0;
#pragma omp metadirective when(user = {condition(sum < 0)} : nothing) when(device = {kind(host)} : parallel reduction(+ : threads))
    threads++;
    CHECK(threads >= 1 && threads <= omp_get_max_threads(), "%d", threads);
    return verdict();
}
