// A range of which a part is mapped already cannot be mapped: the line says what, where and how, and what there is. OpenMP 5.1, 2.21.7.1
//@ compilers: offload
//@ devices: 1
//@ exit: 1
//@ stock-fails: offload because it ends the program by a signal
//@ expect-stderr: overlap_message.c map(tofrom) (200 bytes) (120 bytes) of a[
//@ stderr-may-hold-more:
//@ checker: no because the program ends in the middle of a region
#include "device.h"

int main(void) {
    int a[100];
    FILL(a, 100, 1);
    printf("ok\n");
    fflush(stdout);
#pragma omp target enter data map(to : a[20 : 30])
#pragma omp target map(tofrom : a[0 : 50])
    a[0] = 2;
    return 0;
}
