// A bad OMP_WAIT_POLICY gives one line that names it, and the default.
// OpenMP 5.1, 6.6
//@ env: OMP_WAIT_POLICY=lazy
//@ threads: 1 2
//@ expect-stderr: OMP_WAIT_POLICY lazy
#include "barriers.h"
