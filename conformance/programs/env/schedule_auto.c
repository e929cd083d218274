// OMP_SCHEDULE=`auto` reaches omp_get_schedule and schedule(runtime) loops.
// OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=auto
//@ threads: 1 3
#define KIND omp_sched_auto
#include "schedule.h"
