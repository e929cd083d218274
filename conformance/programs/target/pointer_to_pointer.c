// Rows of a matrix behind an array of pointers. OpenMP 5.1, 2.21.7.2
//@ devices: 1 3
//@ needs: gcc 12
#include "device.h"

int main(void) {
    int rows = 6, columns = 11;
    int **m = malloc(rows * sizeof *m);
    for (int i = 0; i < rows; i++) {
        m[i] = malloc(columns * sizeof **m);
        for (int j = 0; j < columns; j++) m[i][j] = i * columns + j;
    }
#pragma omp target enter data map(to : m[0 : rows])
    for (int i = 0; i < rows; i++) {
#pragma omp target enter data map(to : m[i][0 : columns])
    }
#pragma omp target parallel for collapse(2)
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < columns; j++) m[i][j] += 1000;
    for (int i = 0; i < rows; i++) {
#pragma omp target exit data map(from : m[i][0 : columns])
    }
#pragma omp target exit data map(release : m[0 : rows])
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++) CHECK_EQ(m[i][j], 1000 + i * columns + j);
        free(m[i]);
    }
    free(m);
    return verdict();
}
