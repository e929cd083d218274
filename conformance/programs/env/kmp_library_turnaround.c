// KMP_LIBRARY=turnaround: threads wait as it says, and regions work.
//@ env: KMP_LIBRARY=turnaround
//@ threads: 1 2 3
#include "rounds.h"
