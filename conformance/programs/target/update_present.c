// target update with present: what is there is copied. OpenMP 5.1, 2.14.6
//@ devices: 1 3
//@ needs: gcc 14
#include "device.h"

int main(void) {
    int a[10];
    FILL(a, 10, 1);
#pragma omp target enter data map(to : a)
#pragma omp target
    a[3] = 4;
#pragma omp target update from(present : a)
    CHECK_EQ(a[3], 4);
    a[3] = 5;
#pragma omp target update to(present : a[3 : 1])
    a[3] = 0;
#pragma omp target exit data map(from : a)
    CHECK_EQ(a[3], separate() ? 5 : 0);
    return verdict();
}
