// KMP_FORCE_REDUCTION=critical: every kind of reduction gives its result.
//@ env: KMP_FORCE_REDUCTION=critical
//@ compilers: clang
#include "reductions.h"
