// cancel for, schedule(runtime): the thread that asks leaves the loop, the others at their next cancellation point, and no
// iteration is executed twice; the loops after it are whole. OpenMP 5.1, 2.20.1
//@ stock-fails: clang because libomp does not leave a loop that was cancelled before its last chunk
//@ env: OMP_CANCELLATION=true
#define SCHEDULE runtime
#include "loop.h"
