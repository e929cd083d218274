// KMP_BLOCKTIME=`0`: barriers and teams work whatever the way of waiting.
// OpenMP 5.1, 6.6 (a setting of this implementation)
//@ env: KMP_BLOCKTIME=0
//@ threads: 1 2 8
#include "barriers.h"
