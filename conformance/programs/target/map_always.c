// always: copies whatever the count of references. OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
#include "device.h"

int main(void) {
    int a[16], seen = 0;
    FILL(a, 16, 1);
#pragma omp target data map(to : a)
    {
        FILL(a, 16, 2);
#pragma omp target map(to : a) map(from : seen)
        seen = a[5];
        if (separate()) CHECK_EQ(seen, 1);
#pragma omp target map(always, to : a) map(from : seen)
        seen = a[5];
        CHECK_EQ(seen, 2);
#pragma omp target map(always, from : a)
        FILL(a, 16, 3);
        CHECK_EQ(a[15], 3);
        FILL(a, 16, 4);
#pragma omp target map(always, tofrom : a)
        for (int i = 0; i < 16; i++) a[i] += 10;
        CHECK_EQ(a[0], 14);
#pragma omp target enter data map(always, to : a[4 : 4])
#pragma omp target
        FILL(a, 16, 20);
#pragma omp target exit data map(always, from : a[4 : 4])
        CHECK_EQ(a[4], 20);
        CHECK_EQ(a[7], 20);
        if (separate()) {
            CHECK_EQ(a[3], 14);
            CHECK_EQ(a[8], 14);
        }
    }
    return verdict();
}
