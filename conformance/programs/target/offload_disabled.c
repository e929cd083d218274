// OMP_TARGET_OFFLOAD=disabled: everything runs on the host, and no device is to be seen. OpenMP 5.1, 6.17
//@ devices: 1 3
//@ stock-fails: offload because its devices are counted all the same
//@ env: OMP_TARGET_OFFLOAD=disabled
#include "device.h"

int main(void) {
    CHECK_EQ(omp_get_num_devices(), 0);
    int a[10], initial = 0;
    FILL(a, 10, 1);
#pragma omp target data map(to : a)
    {
#pragma omp target map(from : initial)
        {
            initial = omp_is_initial_device();
            a[1] = 2;
        }
#pragma omp target update to(a)
    }
    CHECK_EQ(initial, 1);
    CHECK_EQ(a[1], 2);
#pragma omp target nowait map(tofrom : a)
    a[2] = 3;
#pragma omp taskwait
    CHECK_EQ(a[2], 3);
    return verdict();
}
