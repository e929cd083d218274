// Device code, and no devices: target regions run on the host, in the host's memory. OpenMP 5.1, 1.3
//@ devices: 0
//@ stock-fails: offload because the number of its host devices is not to be chosen
#include "device.h"

int main(void) {
    CHECK_EQ(omp_get_num_devices(), 0);
    CHECK_EQ(omp_get_initial_device(), 0);
    int a[10], initial = 0;
    FILL(a, 10, 1);
    int *p = a;
#pragma omp target map(to : a) map(from : initial)
    {
        initial = omp_is_initial_device();
        p[3] = 4;
    }
    CHECK_EQ(initial, 1);
    CHECK_EQ(a[3], 4);
#pragma omp target enter data map(to : a)
#pragma omp target nowait map(tofrom : a)
    a[4] = 5;
#pragma omp taskwait
#pragma omp target update from(a)
#pragma omp target exit data map(release : a)
    CHECK_EQ(a[4], 5);
    long sum = 0;
#pragma omp target teams distribute parallel for reduction(+ : sum) map(tofrom : sum)
    for (int i = 0; i < 100; i++) sum += i;
    CHECK_EQ(sum, 4950);
    return verdict();
}
