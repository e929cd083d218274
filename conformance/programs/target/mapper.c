// declare mapper: the default one of a structure, with the memory behind its pointer. OpenMP 5.1, 2.21.7.4
//@ devices: 1 3
//@ needs: gcc 16
#include "device.h"

typedef struct {
    int n;
    double *data;
} vector;
#pragma omp declare mapper(vector v) map(v.n) map(v.data[0 : v.n])

int main(void) {
    vector v = {30, malloc(30 * sizeof(double))};
    double *host = v.data;
    for (int i = 0; i < 30; i++) v.data[i] = i;
#pragma omp target map(tofrom : v)
    for (int i = 0; i < v.n; i++) v.data[i] *= 2;
    for (int i = 0; i < 30; i++) CHECK(v.data[i] == 2 * i, "%d: %g", i, v.data[i]);
    // It serves implicit maps too.
#pragma omp target
    for (int i = 0; i < v.n; i++) v.data[i] += 1;
    for (int i = 0; i < 30; i++) CHECK(v.data[i] == 2 * i + 1, "%d: %g", i, v.data[i]);
#pragma omp target enter data map(to : v)
#pragma omp target
    v.data[3] = -3;
    if (separate()) CHECK(v.data[3] == 7, "%g", v.data[3]);
#pragma omp target update from(v)
    CHECK(v.data[3] == -3, "%g", v.data[3]);
#pragma omp target exit data map(release : v)
    CHECK(v.data == host, "the host's pointer has changed");
    free(v.data);
    return verdict();
}
