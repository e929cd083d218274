// Mapping more than what is there of an array ends the program, with a line that says so. OpenMP 5.1, 2.21.7.1
//@ compilers: offload
//@ devices: 1 3
//@ exit: 1
//@ stock-fails: offload because it ends the program by a signal
//@ expect-stderr: map( mapped ends
//@ stderr-may-hold-more:
//@ checker: no because the program ends in the middle of a construct
#include "device.h"

int main(void) {
    int *p = malloc(100 * sizeof *p);
    FILL(p, 100, 1);
    printf("ok\n");
    fflush(stdout);
#pragma omp target enter data map(to : p[10 : 10])
#pragma omp target map(tofrom : p[5 : 30])
    p[5] = 2;
    return 0;
}
