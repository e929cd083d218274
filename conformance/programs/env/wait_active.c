// OMP_WAIT_POLICY=`active`: barriers and teams work whatever the way of waiting.
// OpenMP 5.1, 6.6
//@ env: OMP_WAIT_POLICY=active
//@ threads: 1 2 3
#include "barriers.h"
