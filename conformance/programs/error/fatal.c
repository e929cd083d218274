// error at(execution): the message, then the end of the program, whose buffers are written. OpenMP 5.1, 2.5.4
//@ expect-stderr: error no paper at all; program ends
//@ exit: 1
//@ stock-fails: clang because its libomp aborts
//@ needs: clang 16, gcc 12
#include "check.h"

static void at_exit(void) { printf("ok\n"); }

int main(void) {
    atexit(at_exit);
#pragma omp error at(execution) severity(fatal) message("no paper at all")
    return 3;
}
