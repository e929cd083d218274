// Worksharing loops of a target region, with every schedule, collapse, lastprivate and linear. OpenMP 5.1, 2.11.4
//@ devices: 1 3
#include "device.h"

#define N 240

#define TRY(...)                                            \
    {                                                       \
        FILL(a, N, 0);                                      \
        OMP(target parallel for map(tofrom : a) __VA_ARGS__) \
        for (int i = 0; i < N; i++) a[i] += i;              \
        for (int i = 0; i < N; i++) CHECK_EQ(a[i], i);      \
    }

int main(void) {
    int a[N], last = -1, grid[6][8][5];
    TRY(schedule(static))
    TRY(schedule(static, 1))
    TRY(schedule(static, 17))
    TRY(schedule(dynamic))
    TRY(schedule(dynamic, 9))
    TRY(schedule(guided))
    TRY(schedule(guided, 4))
    TRY(schedule(auto))
    TRY(schedule(runtime))
    TRY(schedule(monotonic : dynamic, 2))
    TRY(schedule(nonmonotonic : dynamic))
#pragma omp target parallel for lastprivate(last) map(tofrom : last)
    for (int i = 0; i < N; i++) last = i * 2;
    CHECK_EQ(last, 478);
#pragma omp target parallel for collapse(3) map(from : grid)
    for (int i = 0; i < 6; i++)
        for (int j = 0; j < 8; j++)
            for (int k = 0; k < 5; k++) grid[i][j][k] = 100 * i + 10 * j + k;
    for (int i = 0; i < N; i++) CHECK_EQ(grid[i / 40][i / 5 % 8][i % 5], 100 * (i / 40) + 10 * (i / 5 % 8) + i % 5);
    int x = 3;
#pragma omp target parallel for linear(x : 2) map(tofrom : a)
    for (int i = 0; i < N; i++) {
        a[i] = x;
        x += 2;
    }
    for (int i = 0; i < N; i++) CHECK_EQ(a[i], 3 + 2 * i);
    long low = 1L << 40, seen = 0;
#pragma omp target parallel for reduction(+ : seen) map(tofrom : seen) schedule(dynamic, 3)
    for (long i = low + 10; i > low; i -= 3) seen += i - low;
    CHECK_EQ(seen, 10 + 7 + 4 + 1);
    return verdict();
}
