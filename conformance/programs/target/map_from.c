// map(from:): the host gets the device's values; its own did not go there. OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
#include "device.h"

int main(void) {
    int array[64], scalar = 7;
    FILL(array, 64, -5);
#pragma omp target map(from : array, scalar)
    {
        scalar = 12;
        for (int i = 0; i < 64; i++) array[i] = 3 * i;
    }
    CHECK_EQ(scalar, 12);
    for (int i = 0; i < 64; i++) CHECK_EQ(array[i], 3 * i);
    return verdict();
}
