// A number that is no queue ends the program with a line. OpenACC 2.6, 2.16.1
//@ compilers: gcc
//@ flags: -fopenacc
//@ threads: 1
//@ exit: 1
//@ expect-stderr: OpenACC -5 async program ends
#include "check.h"
#include <openacc.h>

int main(void) {
    int x = 0;
    verdict();
    acc_init(acc_device_host);
    x += acc_async_test(-5);
    return 7;
}
