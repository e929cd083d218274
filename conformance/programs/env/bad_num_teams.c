// A bad OMP_NUM_TEAMS gives one line that names it, and the default.
//@ env: OMP_NUM_TEAMS=none
//@ threads: 2
//@ expect-stderr: OMP_NUM_TEAMS none using
#include "one_team.h"
