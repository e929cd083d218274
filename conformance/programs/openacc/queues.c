// Queues of the host are empty at all times. OpenACC 2.6, 3.2.9–14
//@ compilers: gcc
//@ flags: -fopenacc
#include "check.h"
#include <openacc.h>

int main(void) {
    int x = 0;
    acc_init(acc_device_host);
    for (int queue = -2; queue < 40; queue++) {
#pragma acc parallel async(queue) copy(x)
        x++;
        CHECK_EQ(acc_async_test(queue), 1);
        acc_wait(queue);
        acc_async_wait(queue);
        acc_wait_async(queue, queue + 1);
        acc_wait_all_async(queue);
#pragma acc wait(queue) async(1)
    }
#pragma acc wait async(2)
    CHECK_EQ(acc_async_test_all(), 1);
    acc_wait_all();
    acc_async_wait_all();
    CHECK_EQ(x, 42);
    return verdict();
}
