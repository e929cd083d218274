// OMP_STACKSIZE=`2048` gives each thread that much stack.
// OpenMP 5.1, 6.7
//@ env: OMP_STACKSIZE=2048
//@ threads: 1 2 8
#define ROOM (1500 * 1024)
#include "stack.h"
