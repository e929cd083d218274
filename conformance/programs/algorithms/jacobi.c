// Jacobi iteration for the heat equation until it converges, with a max reduction a sweep; same sweeps as the serial run.
// OpenMP 5.1, 2.11.4, 2.21.5
#include <string.h>

#include "check.h"

enum { N = 22 };

static int solve(double grid[N][N], int parallel) {
    double next[N][N];
    memcpy(next, grid, sizeof next);
    for (int sweep = 1; sweep < 400; sweep++) {
        double change = 0;
#pragma omp parallel for reduction(max : change) if (parallel)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                next[i][j] = 0.25 * (grid[i - 1][j] + grid[i + 1][j] + grid[i][j - 1] + grid[i][j + 1]);
                double d = next[i][j] - grid[i][j];
                if (d < 0) d = -d;
                if (d > change) change = d;
            }
#pragma omp parallel for schedule(dynamic, 2) if (parallel)
        for (int i = 1; i < N - 1; i++) memcpy(grid[i], next[i], sizeof grid[i]);
        if (change < 0.02) return sweep;
    }
    return -1;
}

int main(void) {
    static double a[N][N], b[N][N];
    for (int i = 0; i < N; i++) a[0][i] = b[0][i] = 100;
    int serial = solve(a, 0), parallel = solve(b, 1);
    CHECK(serial > 20, "%d", serial);
    CHECK_EQ(parallel, serial);
    CHECK(!memcmp(a, b, sizeof a), "grids differ");
    return verdict();
}
