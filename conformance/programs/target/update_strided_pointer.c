// target update of strided columns of a matrix behind a pointer. OpenMP 5.1, 2.1.5, 2.14.6
//@ cannot: gcc because gcc 12 has no strides in array sections
//@ devices: 1 3
#include "device.h"

int main(void) {
    int rows = 20;
    double(*m)[16] = malloc(rows * sizeof *m);
    for (int i = 0; i < rows * 16; i++) m[i / 16][i % 16] = i;
#pragma omp target enter data map(to : m[0 : rows])
#pragma omp target map(alloc : m[0 : rows])
    for (int i = 0; i < rows * 16; i++) m[i / 16][i % 16] *= -1;
#pragma omp target update from(m[0 : 10 : 2][3 : 1])
#pragma omp target update from(m[5 : 2][0 : 3 : 4])
    for (int i = 0; i < rows * 16; i++) {
        int row = i / 16, column = i % 16;
        int in = (row % 2 == 0 && column == 3) || ((row == 5 || row == 6) && column < 12 && column % 4 == 0);
        CHECK(m[row][column] == (in || !separate() ? -i : i), "%d %d: %g", row, column, m[row][column]);
    }
#pragma omp target exit data map(delete : m[0 : rows])
    free(m);
    return verdict();
}
