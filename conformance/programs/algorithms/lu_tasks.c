// Blocked LU factorisation by tasks with dependences on blocks, against the plain algorithm; then the product is checked.
// OpenMP 5.1, 2.12, 2.19.11
//@ libs: m
#include <math.h>

#include "check.h"

enum { B = 6, SIZE = 7, N = B * SIZE };

static double a[N][N], want[N][N];

static void factor(int k) {
    for (int p = k * SIZE; p < (k + 1) * SIZE; p++)
        for (int i = p + 1; i < (k + 1) * SIZE; i++) {
            a[i][p] /= a[p][p];
            for (int j = p + 1; j < (k + 1) * SIZE; j++) a[i][j] -= a[i][p] * a[p][j];
        }
}

static void row_block(int k, int c) {
    for (int p = k * SIZE; p < (k + 1) * SIZE; p++)
        for (int i = p + 1; i < (k + 1) * SIZE; i++)
            for (int j = c * SIZE; j < (c + 1) * SIZE; j++) a[i][j] -= a[i][p] * a[p][j];
}

static void column_block(int k, int r) {
    for (int p = k * SIZE; p < (k + 1) * SIZE; p++)
        for (int i = r * SIZE; i < (r + 1) * SIZE; i++) {
            a[i][p] /= a[p][p];
            for (int j = p + 1; j < (k + 1) * SIZE; j++) a[i][j] -= a[i][p] * a[p][j];
        }
}

static void update(int k, int r, int c) {
    for (int i = r * SIZE; i < (r + 1) * SIZE; i++)
        for (int p = k * SIZE; p < (k + 1) * SIZE; p++)
            for (int j = c * SIZE; j < (c + 1) * SIZE; j++) a[i][j] -= a[i][p] * a[p][j];
}

int main(void) {
    static char block[B][B];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] = want[i][j] = (i * 7 + j * 13) % 19 + (i == j ? 60 : 0);
    (void)block;
#pragma omp parallel
#pragma omp single
    for (int k = 0; k < B; k++) {
#pragma omp task depend(inout : block[k][k])
        factor(k);
        for (int c = k + 1; c < B; c++) {
#pragma omp task depend(in : block[k][k]) depend(inout : block[k][c])
            row_block(k, c);
        }
        for (int r = k + 1; r < B; r++) {
#pragma omp task depend(in : block[k][k]) depend(inout : block[r][k])
            column_block(k, r);
        }
        for (int r = k + 1; r < B; r++)
            for (int c = k + 1; c < B; c++) {
#pragma omp task depend(in : block[r][k], block[k][c]) depend(inout : block[r][c])
                update(k, r, c);
            }
    }
    double worst = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) {
            double sum = 0;
            for (int p = 0; p <= (i < j ? i : j); p++) sum += (p == i ? 1 : a[i][p]) * a[p][j];
            worst = fmax(worst, fabs(sum - want[i][j]));
        }
    CHECK(worst < 1e-9, "%g", worst);
    return verdict();
}
