// map(to:): the device has the host's values, and what it makes of them does not come back. OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
#include "device.h"

int main(void) {
    int array[64], scalar = 7;
    long sum = 0;
    for (int i = 0; i < 64; i++) array[i] = i;
#pragma omp target map(to : array, scalar) map(from : sum)
    {
        sum = 0;
        for (int i = 0; i < 64; i++) sum += array[i] * scalar;
        FILL(array, 64, -1);
        scalar = -1;
    }
    CHECK_EQ(sum, 2016 * 7);
    if (separate()) {
        for (int i = 0; i < 64; i++) CHECK_EQ(array[i], i);
        CHECK_EQ(scalar, 7);
    }
    return verdict();
}
