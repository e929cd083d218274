// has_device_addr: variables and sections whose names already stand for their device's storage. OpenMP 5.1, 2.14.5
//@ devices: 1 3
//@ needs: gcc 12
#include "device.h"

int main(void) {
    int array[20], scalar = 4;
    FILL(array, 20, 1);
#pragma omp target data map(tofrom : array, scalar) use_device_addr(array, scalar)
    {
#pragma omp target has_device_addr(array) has_device_addr(scalar)
        {
            array[3] = 33;
            scalar++;
        }
#pragma omp target has_device_addr(array[0 : 20])
        array[4] = 44;
    }
    CHECK_EQ(array[3], 33);
    CHECK_EQ(array[4], 44);
    CHECK_EQ(array[5], 1);
    CHECK_EQ(scalar, 5);
    return verdict();
}
