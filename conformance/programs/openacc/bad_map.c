// Memory elsewhere cannot stand for data on a device that shares the program's. OpenACC 2.6, 3.2.26
//@ compilers: gcc
//@ flags: -fopenacc
//@ threads: 1
//@ exit: 1
//@ expect-stderr: OpenACC acc_map_data program ends
#include "check.h"
#include <openacc.h>

int main(void) {
    int x = 0;
    verdict();
    int y;
    acc_map_data(&x, &y, sizeof x);
    return 7;
}
