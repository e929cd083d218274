// A bad OMP_NUM_THREADS (`0`) gives one line that names it and the default number of threads.
// OpenMP 5.1, 6.2, 2.4.1
//@ stock-fails: clang because libomp takes one thread instead of the default
//@ env: OMP_NUM_THREADS=0
//@ expect-stderr: OMP_NUM_THREADS 0
#include "team_of_all.h"
