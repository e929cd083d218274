// Whoever asks for a device of another type than the host's is told that there is none, and the program ends. OpenACC 2.6, 3.2.2
//@ compilers: gcc
//@ flags: -fopenacc
//@ threads: 1
//@ exit: 1
//@ expect-stderr: OpenACC no device type nvidia program ends
#include "check.h"
#include <openacc.h>

int main(void) {
    int x = 0;
    verdict();
    acc_set_device_type(acc_device_nvidia);
    x++;
    return 7;
}
