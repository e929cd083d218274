// OMP_STACKSIZE=`64k` gives each thread that much stack.
// OpenMP 5.1, 6.7
//@ env: OMP_STACKSIZE=64k
//@ threads: 1 2 8
#define ROOM (16 * 1024)
#include "stack.h"
