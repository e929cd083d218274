// nowait with if(0) and with the host as the device. OpenMP 5.1, 2.14.5
//@ devices: 1 3
#include "device.h"

int main(void) {
    int x = 0, y = 0, off = 0;
#pragma omp target nowait if (off) map(tofrom : x)
    x = 1 + omp_is_initial_device();
#pragma omp target nowait device(omp_get_initial_device()) map(tofrom : y)
    y = 2 + omp_is_initial_device();
#pragma omp taskwait
    CHECK_EQ(x, 2);
    CHECK_EQ(y, 3);
#pragma omp target nowait if (off) map(tofrom : x) depend(inout : x)
    x += 5;
#pragma omp target nowait map(tofrom : x) depend(inout : x)
    x *= 2;
#pragma omp taskwait
    CHECK_EQ(x, 14);
    return verdict();
}
