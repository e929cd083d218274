// A construct that names omp_invalid_device ends the program, though its code could run on the host (OpenMP 5.2, section 13.2). LLVM's
// number for it since release 22 is -2; clang 19's header has none.
//@ compilers: offload
//@ devices: 1 3
//@ exit: 1
//@ checker: no because the program ends inside a construct
//@ expect-stderr: omp_invalid_device the program ends
//@ stock-fails: offload because it runs the region on the host
#include "device.h"

int main(void) {
    printf("ok\n");
    fflush(stdout);
    volatile int invalid = -2;
    int x = 0;
#pragma omp target device(invalid) map(tofrom : x)
    x = 1;
    return 3;
}
