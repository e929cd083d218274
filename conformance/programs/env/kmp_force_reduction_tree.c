// KMP_FORCE_REDUCTION=tree: every kind of reduction gives its result.
//@ env: KMP_FORCE_REDUCTION=tree
//@ compilers: clang
#include "reductions.h"
