// KMP_DUPLICATE_LIB_OK=true, which users of several runtimes set, is accepted in silence.
//@ env: KMP_DUPLICATE_LIB_OK=TRUE
//@ threads: 2
#include "one_team.h"
