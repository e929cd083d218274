// OMP_TARGET_OFFLOAD=disabled: target regions run on the host whatever device they name. OpenMP 5.1, 6.17
//@ compilers: gcc
//@ env: OMP_TARGET_OFFLOAD=disabled
//@ threads: 1 3
#include "check.h"

int main(void) {
    int x = 0;
#pragma omp target map(tofrom : x)
    x++;
#pragma omp target device(7) map(tofrom : x)
    x++;
#pragma omp target enter data device(2) map(to : x)
#pragma omp target exit data device(2) map(from : x)
    CHECK_EQ(x, 2);
    return verdict();
}
