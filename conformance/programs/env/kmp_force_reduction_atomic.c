// KMP_FORCE_REDUCTION=atomic: every kind of reduction gives its result.
//@ env: KMP_FORCE_REDUCTION=atomic
//@ compilers: clang
#include "reductions.h"
