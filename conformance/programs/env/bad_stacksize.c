// A bad OMP_STACKSIZE gives one line that names it, and the default size.
// OpenMP 5.1, 6.7
//@ env: OMP_STACKSIZE=big
//@ threads: 1 2
//@ expect-stderr: OMP_STACKSIZE big
#define ROOM (256 * 1024)
#include "stack.h"
