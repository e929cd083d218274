// cancel for, schedule(static, 3): the thread that asks leaves the loop, the others at their next cancellation point, and no
// iteration is executed twice; the loops after it are whole. OpenMP 5.1, 2.20.1
//@ env: OMP_CANCELLATION=true
#define SCHEDULE static, 3
#include "loop.h"
