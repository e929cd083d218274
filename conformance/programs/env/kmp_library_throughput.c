// KMP_LIBRARY=throughput: threads wait as it says, and regions work.
//@ env: KMP_LIBRARY=throughput
//@ threads: 1 2 3
#include "rounds.h"
