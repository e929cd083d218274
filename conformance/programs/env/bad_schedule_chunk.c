// A bad OMP_SCHEDULE (`dynamic,x`) gives one line that names it; loops run all the same.
// OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=dynamic,x
//@ threads: 1 3
//@ expect-stderr: OMP_SCHEDULE dynamic,x
#include "runtime_loop.h"
