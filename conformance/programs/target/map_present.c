// present: what must be there, is: no copy, and the count rises as for any other. OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
//@ needs: gcc 14
#include "device.h"

int main(void) {
    int a[50], sum = 0;
    for (int i = 0; i < 50; i++) a[i] = i;
#pragma omp target enter data map(to : a)
#pragma omp target map(present, alloc : a) map(from : sum)
    {
        sum = 0;
        for (int i = 0; i < 50; i++) sum += a[i];
        a[0] = 5;
    }
    CHECK_EQ(sum, 1225);
#pragma omp target map(present, to : a[10 : 20]) map(from : sum)
    sum = a[10] + a[29];
    CHECK_EQ(sum, 39);
#pragma omp target data map(present, tofrom : a)
    {
#pragma omp target map(present, alloc : a)
        a[1] = 6;
    }
    if (separate()) {
        CHECK_EQ(a[0], 0);
        CHECK_EQ(a[1], 1);
    }
#pragma omp target exit data map(present, from : a)
    CHECK_EQ(a[0], 5);
    CHECK_EQ(a[1], 6);
    return verdict();
}
