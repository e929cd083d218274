// The device cannot be shut down in a data region. OpenACC 2.6, 3.2.8
//@ compilers: gcc
//@ flags: -fopenacc
//@ threads: 1
//@ exit: 1
//@ expect-stderr: OpenACC acc_shutdown data region program ends
#include "check.h"
#include <openacc.h>

int main(void) {
    int x = 0;
    verdict();
#pragma acc data copy(x)
    acc_shutdown(acc_device_host);
    return 7;
}
