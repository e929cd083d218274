// Empty values of the variables count as unset, or are named; nothing crashes.
// OpenMP 5.1, 6
//@ env: OMP_SCHEDULE=
//@ env: OMP_DYNAMIC=
//@ env: OMP_STACKSIZE=
//@ threads: 1 2
//@ stderr-may-hold-more:
#include "one_team.h"
