// A bad OMP_DEFAULT_DEVICE gives one line that names it, and the default.
//@ env: OMP_DEFAULT_DEVICE=first
//@ threads: 2
//@ expect-stderr: OMP_DEFAULT_DEVICE first using
#include "one_team.h"
