// OMP_TARGET_OFFLOAD=mandatory where there is no device: a target construct ends the program. OpenMP 5.1, 6.17
//@ compilers: gcc
//@ env: OMP_TARGET_OFFLOAD=mandatory
//@ threads: 2
//@ exit: 1
//@ expect-stderr: mandatory device construct program ends
//@ stock-fails: gcc because version 12 takes the host for the default device
#include "check.h"

int main(void) {
    printf("ok\n");
    int x = 0;
#pragma omp target map(tofrom : x)
    x = 1;
    return 3;
}
