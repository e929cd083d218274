// A bad KMP_LIBRARY gives one line that names it, and the default.
//@ env: KMP_LIBRARY=public
//@ threads: 2
//@ expect-stderr: KMP_LIBRARY public using
#include "one_team.h"
