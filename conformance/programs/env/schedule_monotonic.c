// OMP_SCHEDULE=`monotonic:dynamic,3` reaches omp_get_schedule and schedule(runtime) loops.
// OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=monotonic:dynamic,3
//@ threads: 1 3
#define KIND omp_sched_dynamic
#define CHUNK 3
#include "schedule.h"
