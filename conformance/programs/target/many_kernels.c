// A thousand small target regions in a row, with data that stays and with data that comes and goes. OpenMP 5.1, 2.14.5
//@ devices: 1 3
#include "device.h"

int main(void) {
    int a[4] = {0}, b = 0;
#pragma omp target data map(tofrom : a)
    for (int i = 0; i < 500; i++) {
#pragma omp target
        a[i % 4] += i;
    }
    CHECK_EQ(a[0] + a[1] + a[2] + a[3], 124750);
    for (int i = 0; i < 500; i++) {
#pragma omp target map(tofrom : b)
        b += i;
    }
    CHECK_EQ(b, 124750);
    return verdict();
}
