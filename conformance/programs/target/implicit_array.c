// Arrays that no clause names are mapped tofrom, arrays of variable length too. OpenMP 5.1, 2.21.7
//@ devices: 1 3
#include "device.h"

static int global[10];

static void variable(int n) {
    int array[n], grid[n][3];
    for (int i = 0; i < n; i++) {
        array[i] = i;
        for (int j = 0; j < 3; j++) grid[i][j] = 3 * i + j;
    }
#pragma omp target
    for (int i = 0; i < n; i++) {
        array[i] *= 2;
        for (int j = 0; j < 3; j++) grid[i][j] += array[i];
    }
    for (int i = 0; i < n; i++) {
        CHECK_EQ(array[i], 2 * i);
        for (int j = 0; j < 3; j++) CHECK_EQ(grid[i][j], 5 * i + j);
    }
}

int main(void) {
    int local[10][2];
    char text[] = "a text";
    for (int i = 0; i < 10; i++) global[i] = local[i][0] = local[i][1] = i;
#pragma omp target
    {
        for (int i = 0; i < 10; i++) global[i] += 1, local[i][1] += 2;
        text[0] = 'A';
    }
    for (int i = 0; i < 10; i++) {
        CHECK_EQ(global[i], i + 1);
        CHECK_EQ(local[i][0], i);
        CHECK_EQ(local[i][1], i + 2);
    }
    CHECK_EQ(text[0], 'A');
    CHECK_EQ(text[1], ' ');
    variable(1);
    variable(37);
    return verdict();
}
