// target update of variables declared for the device; mapping them does not copy them, as they are always there.
// OpenMP 5.1, 2.14.6-7
//@ devices: 1 3
#include "device.h"

#pragma omp declare target
int value = 1;
int field[20];
#pragma omp end declare target

int main(void) {
    int seen = 0;
    value = 2;
    for (int i = 0; i < 20; i++) field[i] = i;
#pragma omp target update to(value, field)
#pragma omp target map(from : seen)
    {
        seen = value + field[19];
        value = 3;
        field[19] = 100;
    }
    CHECK_EQ(seen, 21);
    if (separate()) CHECK_EQ(value, 2);
#pragma omp target update from(value) from(field[10 : 10])
    CHECK_EQ(value, 3);
    CHECK_EQ(field[19], 100);
    value = 4;
#pragma omp target map(to : value) map(from : seen)
    seen = value;
    CHECK_EQ(seen, separate() ? 3 : 4);
#pragma omp target map(always, to : value) map(from : seen)
    seen = value;
    CHECK_EQ(seen, 4);
    return verdict();
}
