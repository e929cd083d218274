// OMP_SCHEDULE=`static` reaches omp_get_schedule and schedule(runtime) loops.
// OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=static
//@ threads: 1 3
#define KIND omp_sched_static
#include "schedule.h"
