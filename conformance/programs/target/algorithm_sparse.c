// A sparse matrix times a vector: three arrays behind one structure, and indices into the vector. OpenMP 5.1, 2.21.7
//@ devices: 1 3
//@ needs: gcc 11
#include "device.h"

#define ROWS 200

struct sparse {
    int rows, entries;
    int *start, *column;
    double *value;
};

int main(void) {
    struct sparse m = {ROWS, 0, malloc((ROWS + 1) * sizeof(int)), malloc(ROWS * 5 * sizeof(int)), malloc(ROWS * 5 * sizeof(double))};
    double x[ROWS], y[ROWS];
    for (int i = 0; i < ROWS; i++) {
        m.start[i] = m.entries;
        for (int k = 0; k <= i % 5; k++) {
            m.column[m.entries] = (i * 7 + k * 31) % ROWS;
            m.value[m.entries++] = i + 0.5 * k;
        }
        x[i] = i % 10;
    }
    m.start[ROWS] = m.entries;
#pragma omp target teams distribute parallel for map(to : m, m.start[0 : ROWS + 1], m.column[0 : m.entries], m.value[0 : m.entries], x) \
    map(from : y)
    for (int i = 0; i < m.rows; i++) {
        double sum = 0;
        for (int k = m.start[i]; k < m.start[i + 1]; k++) sum += m.value[k] * x[m.column[k]];
        y[i] = sum;
    }
    for (int i = 0; i < ROWS; i++) {
        double sum = 0;
        for (int k = m.start[i]; k < m.start[i + 1]; k++) sum += m.value[k] * x[m.column[k]];
        CHECK(y[i] == sum, "%d: %g instead of %g", i, y[i], sum);
    }
    free(m.start);
    free(m.column);
    free(m.value);
    return verdict();
}
