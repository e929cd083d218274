// firstprivate of scalars, arrays, structures and pointers on target: the region has copies. OpenMP 5.1, 2.14.5, 2.21.4.4
//@ devices: 1 3
#include "device.h"

struct big {
    int n;
    double values[40];
};

int main(void) {
    int i = 3, array[20], grid[2][3] = {{1, 2, 3}, {4, 5, 6}};
    long double wide = 2.5L;
    struct big big = {40, {0}};
    int *p = array;
    for (int k = 0; k < 20; k++) array[k] = k;
    for (int k = 0; k < 40; k++) big.values[k] = k;
    double sum = 0;
#pragma omp target firstprivate(i, array, grid, wide, big, p) map(from : sum)
    {
        sum = i + wide + (p != NULL);
        for (int k = 0; k < 20; k++) sum += array[k], array[k] = 0;
        for (int k = 0; k < 6; k++) sum += grid[k / 3][k % 3], grid[k / 3][k % 3] = 0;
        for (int k = 0; k < big.n; k++) sum += big.values[k], big.values[k] = 0;
        i = 0;
        wide = 0;
        p = NULL;
    }
    CHECK(sum == 3 + 2.5 + 1 + 190 + 21 + 780, "%g", sum);
    CHECK_EQ(i, 3);
    CHECK_EQ(array[19], 19);
    CHECK_EQ(grid[1][2], 6);
    CHECK(wide == 2.5L && big.values[39] == 39, "a copy was written back");
    CHECK(p == array, "a copy was written back");
    return verdict();
}
