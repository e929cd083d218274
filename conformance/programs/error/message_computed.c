// error at(execution) with a message that the program computes, which clang 19 does not take. OpenMP 5.1, 2.5.4
//@ compilers: gcc
//@ expect-stderr: warning tray 3 of 4
//@ threads: 2
//@ needs: gcc 12
#include "check.h"

int main(void) {
    char message[32];
    snprintf(message, sizeof message, "tray %d of %d", omp_get_max_threads() + 1, 4);
#pragma omp error at(execution) severity(warning) message(message)
    return verdict();
}
