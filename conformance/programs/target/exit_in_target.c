// exit() in a target region ends the program: what is registered for the end runs.
//@ devices: 1 3
//@ exit: 3
//@ checker: no because the program ends in the middle of a region
#include "device.h"

static void at_end(void) {
    printf("ok\n");
    fflush(stdout);
}

int main(void) {
    atexit(at_end);
    int x = 0;
#pragma omp target map(tofrom : x)
    x = 1;
    CHECK_EQ(x, 1);
#pragma omp target map(tofrom : x)
    exit(x + 2);
    return 0;
}
