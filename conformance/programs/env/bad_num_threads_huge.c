// A bad OMP_NUM_THREADS (`99999999999999999999`) gives one line that names it and the default number of threads.
// OpenMP 5.1, 6.2, 2.4.1
//@ stock-fails: clang because libomp aborts on a number that does not fit
//@ env: OMP_NUM_THREADS=99999999999999999999
//@ expect-stderr: OMP_NUM_THREADS 99999999999999999999
#include "team_of_all.h"
