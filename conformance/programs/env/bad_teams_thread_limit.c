// A bad OMP_TEAMS_THREAD_LIMIT gives one line that names it, and the default.
//@ env: OMP_TEAMS_THREAD_LIMIT=-2
//@ threads: 2
//@ expect-stderr: OMP_TEAMS_THREAD_LIMIT -2 using
#include "one_team.h"
