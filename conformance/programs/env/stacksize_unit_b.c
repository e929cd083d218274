// OMP_STACKSIZE=` 3000000 B ` gives each thread that much stack.
// OpenMP 5.1, 6.7
//@ env: OMP_STACKSIZE= 3000000 B 
//@ threads: 1 2 8
#define ROOM (2 * 1024 * 1024)
#include "stack.h"
