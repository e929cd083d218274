// OMP_STACKSIZE=`20M` gives each thread that much stack.
// OpenMP 5.1, 6.7
//@ env: OMP_STACKSIZE=20M
//@ threads: 1 2 8
#define ROOM (6 * 1024 * 1024)
#include "stack.h"
