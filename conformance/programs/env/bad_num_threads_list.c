// A bad OMP_NUM_THREADS (`2,,3`) gives one line that names it and the default number of threads.
// OpenMP 5.1, 6.2, 2.4.1
//@ stock-fails: clang because libomp goes on with an uninitialised count
//@ env: OMP_NUM_THREADS=2,,3
//@ expect-stderr: OMP_NUM_THREADS 2,,3
#include "team_of_all.h"
