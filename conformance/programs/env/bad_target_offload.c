// A bad OMP_TARGET_OFFLOAD gives one line that names it, and the default.
//@ env: OMP_TARGET_OFFLOAD=perhaps
//@ threads: 2
//@ expect-stderr: OMP_TARGET_OFFLOAD perhaps using
#include "one_team.h"
