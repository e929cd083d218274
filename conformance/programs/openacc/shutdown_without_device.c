// A device that is not active cannot be shut down. OpenACC 2.6, 3.2.8
//@ compilers: gcc
//@ flags: -fopenacc
//@ threads: 1
//@ exit: 1
//@ expect-stderr: OpenACC acc_shutdown active program ends
#include "check.h"
#include <openacc.h>

int main(void) {
    int x = 0;
#pragma omp parallel
    CHECK(omp_get_num_threads() > 0, "no team");
    verdict();
    acc_shutdown(acc_device_host);
    x++;
    return 7;
}
