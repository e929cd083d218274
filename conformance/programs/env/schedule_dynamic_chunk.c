// OMP_SCHEDULE=` Dynamic , 4 ` reaches omp_get_schedule and schedule(runtime) loops.
// OpenMP 5.1, 6.1
//@ stock-fails: clang because libomp takes no leading blank
//@ env: OMP_SCHEDULE= Dynamic , 4 
//@ threads: 1 3
#define KIND omp_sched_dynamic
#define CHUNK 4
#include "schedule.h"
