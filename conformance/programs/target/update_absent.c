// target update of what is not there does nothing. OpenMP 5.1, 2.14.6
//@ devices: 1 3
#include "device.h"

int main(void) {
    int a[10], *p = malloc(10 * sizeof *p), *null = NULL, zero = 0;
    FILL(a, 10, 1);
    FILL(p, 10, 2);
#pragma omp target update to(a)
#pragma omp target update from(a)
#pragma omp target update to(p[0 : 10])
#pragma omp target update from(p[2 : 3])
#pragma omp target update from(null[0 : zero])
    CHECK(null == NULL, "NULL has changed");
    CHECK_EQ(a[5], 1);
    CHECK_EQ(p[5], 2);
#pragma omp target data map(to : a[0 : 5])
    {
#pragma omp target update from(a[0 : 5]) to(p[0 : 10])
    }
    CHECK_EQ(a[4], 1);
    free(p);
    return verdict();
}
