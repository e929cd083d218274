// Matrix multiplication with collapsed loops, against a serial product; sizes that divide by no team size.
// OpenMP 5.1, 2.11.4 (collapse clause)
#include "check.h"

enum { M = 53, N = 47, K = 61 };

static double a[M][K], b[K][N], c[M][N];

int main(void) {
    for (int i = 0; i < M; i++)
        for (int k = 0; k < K; k++) a[i][k] = (i * 7 + k * 3) % 11;
    for (int k = 0; k < K; k++)
        for (int j = 0; j < N; j++) b[k][j] = (k * 5 + j) % 13;
#pragma omp parallel for collapse(2)
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < K; k++) sum += a[i][k] * b[k][j];
            c[i][j] = sum;
        }
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int k = 0; k < K; k++) sum += a[i][k] * b[k][j];
            CHECK(c[i][j] == sum, "%d %d", i, j);
        }
    return verdict();
}
