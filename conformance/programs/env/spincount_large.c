// GOMP_SPINCOUNT=`20k`: barriers and teams work whatever the way of waiting.
// OpenMP 5.1, 6.6 (a setting of this implementation)
//@ env: GOMP_SPINCOUNT=20k
//@ threads: 1 2 3
#include "barriers.h"
