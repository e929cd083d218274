// All shortest paths: a loop a pivot inside one region, separated by the loops' own barriers, against the serial result.
// OpenMP 5.1, 2.11.4
#include "check.h"

enum { N = 37 };

int main(void) {
    static int a[N][N], b[N][N];
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) a[i][j] = b[i][j] = i == j ? 0 : (i * 17 + j * 29) % 101 + 3 * (i > j);
    for (int k = 0; k < N; k++)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (b[i][k] + b[k][j] < b[i][j]) b[i][j] = b[i][k] + b[k][j];
#pragma omp parallel
    for (int k = 0; k < N; k++) {
        // Row k does not change in step k, so that the others may read it.
#pragma omp for schedule(dynamic, 3)
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (i != k && a[i][k] + a[k][j] < a[i][j]) a[i][j] = a[i][k] + a[k][j];
    }
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) CHECK_EQ(a[i][j], b[i][j]);
    return verdict();
}
