// Data of no bytes end the program with a line. OpenACC 2.6, 3.2.20
//@ compilers: gcc
//@ flags: -fopenacc
//@ threads: 1
//@ exit: 1
//@ expect-stderr: OpenACC 0 bytes program ends
#include "check.h"
#include <openacc.h>

int main(void) {
    int x = 0;
#pragma omp parallel
    CHECK(omp_get_num_threads() > 0, "no team");
    verdict();
    acc_copyin(&x, 0);
    return 7;
}
