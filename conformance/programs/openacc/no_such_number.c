// Whoever asks for another number than 0 of the host's is told that there is none, and the program ends. OpenACC 2.6, 3.2.4
//@ compilers: gcc
//@ flags: -fopenacc
//@ threads: 1
//@ exit: 1
//@ expect-stderr: OpenACC device 3 of type host program ends
#include "check.h"
#include <openacc.h>

int main(void) {
    int x = 0;
    verdict();
    acc_set_device_num(3, acc_device_host);
    x++;
    return 7;
}
