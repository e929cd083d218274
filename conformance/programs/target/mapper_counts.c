// A mapper's parts have counts of references like any other: enter and exit data, nested. OpenMP 5.1, 2.21.7.4
//@ devices: 1 3
//@ stock-fails: offload because what a mapper maps first is never released
//@ needs: gcc 16
#include "device.h"

typedef struct {
    int n;
    int *data;
} vector;
#pragma omp declare mapper(vector v) map(v) map(v.data[0 : v.n])

int main(void) {
    int data[6];
    FILL(data, 6, 1);
    vector v = {6, data};
#pragma omp target enter data map(to : v)
#pragma omp target enter data map(to : v)
#pragma omp target
    v.data[5] = 2;
#pragma omp target exit data map(from : v)
    if (separate()) CHECK_EQ(data[5], 1);
#pragma omp target exit data map(from : v)
    CHECK_EQ(data[5], 2);
    CHECK(v.data == data, "the host's pointer has changed");
#pragma omp target enter data map(to : v)
#pragma omp target map(present, alloc : data)
    data[0] = 9;
#pragma omp target exit data map(delete : v)
    CHECK_EQ(data[0], separate() ? 1 : 9);
    return verdict();
}
