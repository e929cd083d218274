// A structure with pointers into memory that is mapped by the same construct: the device's pointers point to the device's memory.
// OpenMP 5.1, 2.21.7.1-2
//@ devices: 1 3
//@ needs: gcc 11
#include "device.h"

struct vectors {
    int n;
    double *x, *y;
    int *index;
};

int main(void) {
    int n = 64;
    struct vectors v = {n, malloc(n * sizeof(double)), malloc(n * sizeof(double)), malloc(n * sizeof(int))};
    struct vectors before = v;
    for (int i = 0; i < n; i++) v.x[i] = i, v.y[i] = 0, v.index[i] = n - 1 - i;
#pragma omp target map(to : v.n, v.x[0 : n], v.index[0 : n]) map(from : v.y[0 : n])
    for (int i = 0; i < v.n; i++) v.y[i] = v.x[v.index[i]];
    for (int i = 0; i < n; i++) CHECK(v.y[i] == n - 1 - i, "%d: %g", i, v.y[i]);
    CHECK(v.x == before.x && v.y == before.y && v.index == before.index, "the host's pointers have changed");
#pragma omp target map(tofrom : v, v.y[0 : n])
    v.y[5] = -5;
    CHECK(v.y[5] == -5, "%g", v.y[5]);
    CHECK(v.x == before.x && v.y == before.y, "the host's pointers have changed");
    free(v.x);
    free(v.y);
    free(v.index);
    return verdict();
}
