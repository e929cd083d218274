// ACC_DEVICE_TYPE names the host in any case of letters; what ACC_DEVICE_NUM says and is no number counts as 0, with a line.
// OpenACC 2.6, 4.1, 4.2
//@ compilers: gcc
//@ flags: -fopenacc
//@ env: ACC_DEVICE_TYPE=HOST
//@ env: ACC_DEVICE_NUM=x
//@ expect-stderr: ACC_DEVICE_NUM x using 0
#include "check.h"
#include <openacc.h>

int main(void) {
    int x = 0;
#pragma acc parallel copy(x)
    x++;
    CHECK_EQ(x, 1);
    CHECK_EQ(acc_get_device_type(), acc_device_host);
    CHECK_EQ(acc_get_device_num(acc_device_default), 0);
    return verdict();
}
