// OMP_TARGET_OFFLOAD=mandatory without a device: the first target region ends the program. OpenMP 5.1, 6.17
//@ compilers: offload
//@ devices: 0
//@ env: OMP_TARGET_OFFLOAD=mandatory
//@ threads: 2
//@ exit: 1
//@ expect-stderr: mandatory program ends
//@ stock-fails: offload because the number of its host devices is not to be chosen
//@ checker: no because the program ends in the middle of a construct
#include "device.h"

int main(void) {
    printf("ok\n");
    fflush(stdout);
    int x = 0;
#pragma omp target map(tofrom : x)
    x = 1;
    return 3;
}
