// With all warnings wanted, a variable that another one overrides is named.
//@ env: KMP_WARNINGS=true
//@ env: KMP_STACKSIZE=1M
//@ env: OMP_STACKSIZE=2M
//@ threads: 2
//@ expect-stderr: OMP_STACKSIZE='2M' overridden KMP_STACKSIZE
#include "one_team.h"
