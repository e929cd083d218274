// target enter data, exit data and update with nowait and dependences. OpenMP 5.1, 2.14.3-4, 2.14.6
//@ devices: 1 3
#include "device.h"

int main(void) {
    int a[100];
    FILL(a, 100, 1);
#pragma omp target enter data map(to : a) nowait depend(out : a)
#pragma omp target nowait depend(inout : a)
    FILL(a, 100, 2);
#pragma omp target update from(a[0 : 50]) nowait depend(inout : a)
#pragma omp taskwait
    CHECK_EQ(a[49], 2);
    CHECK_EQ(a[50], separate() ? 1 : 2);
    FILL(a, 100, 3);
#pragma omp target update to(a[10 : 10]) nowait depend(inout : a)
#pragma omp target exit data map(from : a) nowait depend(inout : a)
#pragma omp taskwait
    CHECK_EQ(a[10], 3);
    CHECK_EQ(a[20], separate() ? 2 : 3);
#pragma omp target enter data map(to : a) nowait
#pragma omp taskwait
#pragma omp target exit data map(delete : a) nowait
#pragma omp taskwait
    return verdict();
}
