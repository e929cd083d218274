// ACC_DEVICE_NUM names a device that is not there: the program ends where it first needs one. OpenACC 2.6, 4.2
//@ compilers: gcc
//@ flags: -fopenacc
//@ threads: 1
//@ env: ACC_DEVICE_NUM=2
//@ exit: 1
//@ expect-stderr: OpenACC device 2 of type host program ends
#include "check.h"
#include <openacc.h>

int main(void) {
    int x = 0;
    verdict();
    if (acc_get_device_num(acc_device_host) != 2) return 8;
#pragma acc parallel copy(x)
    x++;
    return 7;
}
