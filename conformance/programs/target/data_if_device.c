// The if and device clauses of target data, enter data, exit data and update. OpenMP 5.1, 2.14.2-4, 2.14.6
//@ devices: 1 3
#include "device.h"

int main(void) {
    int a = 1, off = 0, on = 1, host = omp_get_initial_device(), device = omp_get_default_device();
#pragma omp target data map(to : a) if (off) device(device)
    {
#pragma omp target map(tofrom : a)
        a++;
        CHECK_EQ(a, 2);
    }
#pragma omp target data map(to : a) device(host)
    {
#pragma omp target map(tofrom : a)
        a++;
        CHECK_EQ(a, 3);
    }
#pragma omp target enter data map(to : a) if (off)
#pragma omp target enter data map(to : a) if (on) device(device)
    a = 50;
#pragma omp target update to(a) if (off)
    if (separate()) {
        int seen = 0;
#pragma omp target map(to : a) map(from : seen)
        seen = a;
        CHECK_EQ(seen, 3);
    }
#pragma omp target update to(a) device(device) if (target update : on)
    int seen = 0;
#pragma omp target map(to : a) map(from : seen)
    seen = a;
    CHECK_EQ(seen, 50);
#pragma omp target exit data map(release : a) if (off)
#pragma omp target exit data map(from : a) device(device)
    CHECK_EQ(a, 50);
    return verdict();
}
