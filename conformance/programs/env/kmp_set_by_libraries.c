// Variables that Python's libraries set in their processes for libiomp5's sake, whoever runs them: no line tells users of what they
// have not written. scikit-learn sets KMP_INIT_AT_FORK and KMP_DUPLICATE_LIB_OK, vLLM the patterns.
//@ env: KMP_INIT_AT_FORK=FALSE
//@ env: KMP_DUPLICATE_LIB_OK=True
//@ env: KMP_TPAUSE=0
//@ env: KMP_FORKJOIN_BARRIER_PATTERN=dist,dist
//@ env: KMP_PLAIN_BARRIER_PATTERN=dist,dist
//@ env: KMP_REDUCTION_BARRIER_PATTERN=dist,dist
//@ env: KMP_BLOCKTIME=1
//@ threads: 2
#include "one_team.h"
