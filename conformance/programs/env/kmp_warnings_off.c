// KMP_WARNINGS=0 silences the lines on values that cannot be used.
//@ env: KMP_WARNINGS=0
//@ env: OMP_SCHEDULE=slow
//@ env: OMP_STACKSIZE=much
//@ env: KMP_LOCK_KIND=x
//@ threads: 2
#include "one_team.h"
