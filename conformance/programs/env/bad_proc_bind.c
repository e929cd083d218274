// A bad OMP_PROC_BIND gives one line that names it; regions work.
// OpenMP 5.1, 6.4
//@ env: OMP_PROC_BIND=tight
//@ threads: 1 2
//@ expect-stderr: OMP_PROC_BIND tight
#include "one_team.h"
