// map(alloc:): storage on the device, and no copies. OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
#include "device.h"

int main(void) {
    int array[128], ok = 0;
    FILL(array, 128, 9);
#pragma omp target map(alloc : array) map(from : ok)
    {
        for (int i = 0; i < 128; i++) array[i] = i;
        ok = 1;
        for (int i = 0; i < 128; i++) ok &= array[i] == i;
    }
    CHECK_EQ(ok, 1);
    if (separate())
        for (int i = 0; i < 128; i++) CHECK_EQ(array[i], 9);
#pragma omp target data map(alloc : array)
    {
#pragma omp target map(from : ok)
        for (int i = 0; i < 128; i++) array[i] = 2 * i;
#pragma omp target map(from : ok)
        {
            ok = 1;
            for (int i = 0; i < 128; i++) ok &= array[i] == 2 * i;
        }
    }
    CHECK_EQ(ok, 1);
    if (separate())
        for (int i = 0; i < 128; i++) CHECK_EQ(array[i], 9);
    return verdict();
}
