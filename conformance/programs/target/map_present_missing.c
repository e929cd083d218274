// present of an array that is not there ends the program, with a line that says so. OpenMP 5.1, 2.21.7.1
//@ compilers: offload
//@ devices: 1 3
//@ exit: 1
//@ stock-fails: offload because it ends the program by a signal
//@ expect-stderr: present map( mapped ends
//@ stderr-may-hold-more:
//@ checker: no because the program ends in the middle of a region
#include "device.h"

int main(void) {
    int a[50];
    FILL(a, 50, 1);
    printf("ok\n");
    fflush(stdout);
#pragma omp target map(present, tofrom : a)
    a[0] = 2;
    return 0;
}
