// OMP_SCHEDULE=`static,7` reaches omp_get_schedule and schedule(runtime) loops.
// OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=static,7
//@ threads: 1 3
#define KIND omp_sched_static
#define CHUNK 7
#include "schedule.h"
