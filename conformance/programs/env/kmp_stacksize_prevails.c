// KMP_STACKSIZE prevails over OMP_STACKSIZE, and counts bytes where no unit stands.
//@ env: KMP_STACKSIZE=67108864
//@ env: OMP_STACKSIZE=256k
//@ env: GOMP_STACKSIZE=128
//@ threads: 2
//@ stderr-may-hold-more:
//@ stock-fails: gcc because it does not know the variable
#include "stack_of_40m.h"
