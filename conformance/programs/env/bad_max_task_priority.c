// A bad OMP_MAX_TASK_PRIORITY gives one line that names it, and the default.
//@ env: OMP_MAX_TASK_PRIORITY=high
//@ threads: 2
//@ expect-stderr: OMP_MAX_TASK_PRIORITY high using
#include "one_team.h"
