// A bad OMP_PLACES gives one line that names it; regions work.
// OpenMP 5.1, 6.5
//@ env: OMP_PLACES={0,
//@ env: OMP_PROC_BIND=true
//@ threads: 1 2
//@ expect-stderr: OMP_PLACES {0,
#include "one_team.h"
