// A KMP_ variable that means nothing here is named in one line.
//@ env: KMP_LOCK_KIND=tas
//@ threads: 2
//@ expect-stderr: KMP_LOCK_KIND='tas' no effect
#include "one_team.h"
