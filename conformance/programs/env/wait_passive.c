// OMP_WAIT_POLICY=`PASSIVE`: barriers and teams work whatever the way of waiting.
// OpenMP 5.1, 6.6
//@ env: OMP_WAIT_POLICY=PASSIVE
//@ threads: 1 2 8
#include "barriers.h"
