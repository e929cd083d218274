// Devices give back what they keep when they are asked to, and go on where they were. OpenMP 5.1, 3.6
//@ devices: 1 3
//@ stock-fails: clang because it does not know the host's number there
//@ stock-fails: offload because a pause is refused for devices
#include "device.h"

int main(void) {
    int a[1000], host = omp_get_initial_device(), sum = 0;
    FILL(a, 1000, 1);
#pragma omp target data map(tofrom : a)
    {
        for (int d = 0; d < omp_get_num_devices(); d++) {
            CHECK_EQ(omp_pause_resource(omp_pause_soft, d), 0);
        }
#pragma omp target teams distribute parallel for map(tofrom : a)
        for (int i = 0; i < 1000; i++) a[i]++;
        CHECK_EQ(omp_pause_resource(omp_pause_soft, 0), 0);
        CHECK_EQ(omp_pause_resource(omp_pause_soft, host), 0);
#pragma omp target teams distribute parallel for map(tofrom : a)
        for (int i = 0; i < 1000; i++) a[i]++;
    }
    for (int i = 0; i < 1000; i++) sum += a[i];
    CHECK_EQ(sum, 3000);
    CHECK_EQ(omp_pause_resource_all(omp_pause_soft), 0);
    CHECK(omp_pause_resource(omp_pause_soft, host + 1) != 0, "there is no such device");
#pragma omp target map(tofrom : sum)
    sum++;
    CHECK_EQ(sum, 3001);
    return verdict();
}
