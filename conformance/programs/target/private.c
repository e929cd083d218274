// private on target: storage of the region's own, arrays too; the host's variables stay. OpenMP 5.1, 2.21.4.3
//@ devices: 1 3
#include "device.h"

int main(void) {
    int x = 5, array[30], result = 0;
    FILL(array, 30, 6);
#pragma omp target private(x, array) map(from : result)
    {
        x = 1;
        FILL(array, 30, 2);
        result = 0;
        for (int i = 0; i < 30; i++) result += array[i] + x;
    }
    CHECK_EQ(result, 90);
    CHECK_EQ(x, 5);
    CHECK_EQ(array[29], 6);
    long total = 0;
#pragma omp target parallel for private(x) map(tofrom : total) reduction(+ : total)
    for (int i = 0; i < 100; i++) {
        x = i * 2;
        total += x;
    }
    CHECK_EQ(total, 9900);
    CHECK_EQ(x, 5);
    return verdict();
}
