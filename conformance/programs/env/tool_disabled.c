// OMP_TOOL=disabled: no tool is looked for, and the program runs as ever.
// OpenMP 5.1, 6.18
//@ env: OMP_TOOL=disabled
//@ threads: 1 3
//@ checker: no because the tool is disabled
#include "one_team.h"
