// A number that is no device type ends the program with a line. OpenACC 2.6, 3.2.1
//@ compilers: gcc
//@ flags: -fopenacc
//@ threads: 1
//@ exit: 1
//@ expect-stderr: OpenACC 77 device type program ends
#include "check.h"
#include <openacc.h>

int main(void) {
    int x = 0;
#pragma omp parallel
    CHECK(omp_get_num_threads() > 0, "no team");
    verdict();
    x += acc_get_num_devices((acc_device_t)77);
    return 7;
}
