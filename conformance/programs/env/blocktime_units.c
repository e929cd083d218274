// KMP_BLOCKTIME in microseconds.
//@ env: KMP_BLOCKTIME=150us
//@ threads: 1 2 3 8
#include "rounds.h"
