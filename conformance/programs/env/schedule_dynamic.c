// OMP_SCHEDULE=`dynamic` reaches omp_get_schedule and schedule(runtime) loops.
// OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=dynamic
//@ threads: 1 3
#define KIND omp_sched_dynamic
#define CHUNK 1
#include "schedule.h"
