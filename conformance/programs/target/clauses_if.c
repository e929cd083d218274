// The if clause of target and of what is combined with it. OpenMP 5.1, 2.14.5, 2.18
//@ devices: 1 3
#include "device.h"

int main(void) {
    int off = 0, on = 1, device = -1, threads = 0, x = 1;
#pragma omp target if (off) map(from : device) map(tofrom : x)
    {
        device = omp_is_initial_device();
        x++;
    }
    CHECK_EQ(device, 1);
    CHECK_EQ(x, 2);
#pragma omp target if (target : on) map(from : device)
    device = omp_is_initial_device();
    CHECK_EQ(device, !separate());
#pragma omp target parallel if (parallel : off) map(from : threads, device)
    {
        threads = omp_get_num_threads();
        device = omp_is_initial_device();
    }
    CHECK_EQ(threads, 1);
    CHECK_EQ(device, !separate());
#pragma omp target teams distribute parallel for if (target : off) if (parallel : on) map(tofrom : x)
    for (int i = 0; i < 10; i++) {
#pragma omp atomic
        x += i;
    }
    CHECK_EQ(x, 47);
    return verdict();
}
