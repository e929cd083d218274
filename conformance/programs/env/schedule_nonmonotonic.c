// OMP_SCHEDULE=`nonmonotonic:guided,2` reaches omp_get_schedule and schedule(runtime) loops.
// OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=nonmonotonic:guided,2
//@ threads: 1 3
#define KIND omp_sched_guided
#define CHUNK 2
#include "schedule.h"
