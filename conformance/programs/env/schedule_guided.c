// OMP_SCHEDULE=`GUIDED,5` reaches omp_get_schedule and schedule(runtime) loops.
// OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=GUIDED,5
//@ threads: 1 3
#define KIND omp_sched_guided
#define CHUNK 5
#include "schedule.h"
