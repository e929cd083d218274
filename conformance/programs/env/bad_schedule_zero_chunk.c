// A bad OMP_SCHEDULE (`guided,0`) gives one line that names it; loops run all the same.
// OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=guided,0
//@ threads: 1 3
//@ expect-stderr: OMP_SCHEDULE guided,0
#include "runtime_loop.h"
