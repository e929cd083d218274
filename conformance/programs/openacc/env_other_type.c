// ACC_DEVICE_TYPE asks for a device that is not there: the program ends where it first needs one. OpenACC 2.6, 4.1
//@ compilers: gcc
//@ flags: -fopenacc
//@ threads: 1
//@ env: ACC_DEVICE_TYPE=nvidia
//@ exit: 1
//@ expect-stderr: OpenACC ACC_DEVICE_TYPE nvidia host program ends
#include "check.h"
#include <openacc.h>

int main(void) {
    int x = 0;
    verdict();
    if (acc_get_num_devices(acc_device_default) != 0) return 8;
#pragma acc parallel copy(x)
    x++;
    return 7;
}
