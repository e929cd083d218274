// File-scope static variables and functions declared for the device. OpenMP 5.1, 2.14.7
//@ devices: 1 3
#include "device.h"

#pragma omp declare target
static int hidden = 11;
static int many[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static int take(int i) { return hidden += many[i]; }
#pragma omp end declare target

int main(void) {
    int got = 0, again = 0;
#pragma omp target map(from : got)
    got = take(7);
#pragma omp target map(from : again)
    again = take(0);
    CHECK_EQ(got, 19);
    CHECK_EQ(again, 20);
    hidden = 1000;
#pragma omp target map(from : again)
    again = take(0);
    CHECK_EQ(again, separate() ? 21 : 1001);
    return verdict();
}
