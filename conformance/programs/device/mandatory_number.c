// OMP_TARGET_OFFLOAD=mandatory and a device number that is none. OpenMP 5.1, 6.17
//@ compilers: gcc
//@ env: OMP_TARGET_OFFLOAD=mandatory
//@ threads: 2
//@ exit: 1
//@ expect-stderr: mandatory device construct 3 program ends
#include "check.h"

int main(void) {
    printf("ok\n");
    int x = 0;
#pragma omp target data device(3) map(tofrom : x)
    x = 1;
    return 3;
}
