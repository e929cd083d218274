/* Reductions of loops (OpenMP 5.1 §2.21.5), by the method atomic where the runtime can be told. Twin: the second loop lacks its reduction. */
//@ env: KMP_FORCE_REDUCTION=atomic
#include "reduction_by.h"
