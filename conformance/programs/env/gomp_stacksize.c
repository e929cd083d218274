// GOMP_STACKSIZE counts KiB, and gives way to OMP_STACKSIZE.
//@ env: GOMP_STACKSIZE=65536
//@ threads: 2
#include "stack_of_40m.h"
