// Array sections with lower bounds, open ends, of pointers and of arrays of arrays. OpenMP 5.1, 2.1.5, 2.21.7.1
//@ devices: 1 3
#include "device.h"

int main(void) {
    int n = 100, low = 20, length = 30;
    int *p = malloc(n * sizeof *p);
    int a[100], grid[10][10];
    for (int i = 0; i < n; i++) p[i] = a[i] = grid[i / 10][i % 10] = i;

#pragma omp target map(tofrom : p[low : length], a[90 :], grid[3 : 2][:])
    {
        for (int i = low; i < low + length; i++) p[i] += 1000;
        for (int i = 90; i < 100; i++) a[i] += 1000;
        for (int j = 0; j < 10; j++) grid[3][j] += 1000, grid[4][j] += 2000;
    }
    for (int i = 0; i < n; i++) {
        CHECK_EQ(p[i], i >= 20 && i < 50 ? i + 1000 : i);
        CHECK_EQ(a[i], i >= 90 ? i + 1000 : i);
        CHECK_EQ(grid[i / 10][i % 10], i / 10 == 3 ? i + 1000 : i / 10 == 4 ? i + 2000 : i);
    }
#pragma omp target map(tofrom : a[: 10]) map(tofrom : grid[9][2 : 3])
    {
        for (int i = 0; i < 10; i++) a[i] = -i;
        for (int j = 2; j < 5; j++) grid[9][j] = -j;
    }
    for (int i = 0; i < 10; i++) CHECK_EQ(a[i], -i);
    CHECK_EQ(a[10], 10);
    CHECK_EQ(grid[9][1], 91);
    CHECK_EQ(grid[9][4], -4);
    CHECK_EQ(grid[9][5], 95);

    // A part of what is there finds its place in it.
#pragma omp target data map(tofrom : p[10 : 80])
    {
#pragma omp target map(tofrom : p[50 : 10])
        for (int i = 50; i < 60; i++) p[i] = 7;
#pragma omp target map(tofrom : p[89 : 1])
        p[89] = 8;
    }
    CHECK_EQ(p[50], 7);
    CHECK_EQ(p[59], 7);
    CHECK_EQ(p[60], 60);
    CHECK_EQ(p[89], 8);
    free(p);
    return verdict();
}
