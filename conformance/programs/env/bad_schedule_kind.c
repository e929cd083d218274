// A bad OMP_SCHEDULE (`statik`) gives one line that names it; loops run all the same.
// OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=statik
//@ threads: 1 3
//@ expect-stderr: OMP_SCHEDULE statik
#include "runtime_loop.h"
