// Jacobi's iteration with data that stays on the device, compared with the host. OpenMP 5.1, 2.14
//@ devices: 1 3
#include <math.h>
#include <string.h>

#include "device.h"

#define N 48
#define ROUNDS 60

static double a[N][N], b[N][N], x[N][N], y[N][N];

int main(void) {
    for (int j = 0; j < N; j++) a[0][j] = b[0][j] = x[0][j] = y[0][j] = j;
    double change = 0;
#pragma omp target data map(tofrom : a) map(to : b)
    for (int round = 0; round < ROUNDS; round++) {
        change = 0;
#pragma omp target teams distribute parallel for collapse(2) reduction(max : change) map(tofrom : change)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                b[i][j] = 0.25 * (a[i - 1][j] + a[i + 1][j] + a[i][j - 1] + a[i][j + 1]);
                double difference = b[i][j] > a[i][j] ? b[i][j] - a[i][j] : a[i][j] - b[i][j];
                if (difference > change) change = difference;
            }
#pragma omp target teams distribute parallel for collapse(2)
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) a[i][j] = b[i][j];
    }
    double want = 0;
    for (int round = 0; round < ROUNDS; round++) {
        want = 0;
        for (int i = 1; i < N - 1; i++)
            for (int j = 1; j < N - 1; j++) {
                y[i][j] = 0.25 * (x[i - 1][j] + x[i + 1][j] + x[i][j - 1] + x[i][j + 1]);
                double difference = y[i][j] > x[i][j] ? y[i][j] - x[i][j] : x[i][j] - y[i][j];
                if (difference > want) want = difference;
            }
        memcpy(x, y, sizeof x);
    }
    CHECK(change == want, "%g instead of %g", change, want);
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++) CHECK(a[i][j] == x[i][j], "%d %d: %g", i, j, a[i][j]);
    return verdict();
}
