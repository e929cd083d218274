// Unstructured data across functions, with other constructs between. OpenMP 5.1, 2.14.3-4
//@ devices: 1 3
#include "device.h"

typedef struct {
    int n;
    double *values;
} vector;

static vector *create(int n) {
    vector *v = malloc(sizeof *v);
    v->n = n;
    v->values = malloc(n * sizeof *v->values);
    double *values = v->values;
    FILL(values, n, 0);
#pragma omp target enter data map(to : values[0 : n])
    return v;
}

static void add(vector *v, double x) {
    double *values = v->values;
    int n = v->n;
#pragma omp target parallel for
    for (int i = 0; i < n; i++) values[i] += x + i;
}

static void destroy(vector *v) {
    double *values = v->values;
    int n = v->n;
#pragma omp target exit data map(from : values[0 : n])
    for (int i = 0; i < n; i++) CHECK(values[i] == 3 * i + 6, "%d: %g", i, values[i]);
    free(values);
    free(v);
}

int main(void) {
    vector *a = create(100), *b = create(7);
    for (int round = 1; round <= 3; round++) {
        add(a, round);
        add(b, round);
    }
    destroy(b);
    destroy(a);
    return verdict();
}
