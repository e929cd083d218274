// A structure behind a pointer and the memory behind its members, through p->member[a:b]. OpenMP 5.1, 2.21.7.1-2
//@ devices: 1 3
//@ needs: gcc 12
#include "device.h"

struct matrix {
    int rows, columns;
    float *data;
};

static struct matrix *create(int rows, int columns) {
    struct matrix *m = malloc(sizeof *m);
    *m = (struct matrix){rows, columns, malloc(rows * columns * sizeof(float))};
    for (int i = 0; i < rows * columns; i++) m->data[i] = i;
    return m;
}

int main(void) {
    struct matrix *m = create(5, 9);
    int cells = m->rows * m->columns;
    float *host = m->data;
#pragma omp target enter data map(to : m[0 : 1])
#pragma omp target enter data map(to : m->data[0 : cells])
#pragma omp target
    for (int i = 0; i < m->rows * m->columns; i++) m->data[i] *= 2;
#pragma omp target update from(m->data[0 : cells])
    for (int i = 0; i < cells; i++) CHECK(m->data[i] == 2 * i, "%d: %g", i, m->data[i]);
#pragma omp target exit data map(delete : m->data[0 : cells])
#pragma omp target exit data map(delete : m[0 : 1])
    CHECK(m->data == host, "the host's pointer has changed");
#pragma omp target map(to : m->rows, m->columns) map(tofrom : m->data[: cells])
    for (int i = 0; i < m->rows * m->columns; i++) m->data[i] += 1;
    for (int i = 0; i < cells; i++) CHECK(m->data[i] == 2 * i + 1, "%d: %g", i, m->data[i]);
    free(m->data);
    free(m);
    return verdict();
}
