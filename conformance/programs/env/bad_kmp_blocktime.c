// A bad KMP_BLOCKTIME gives one line that names it, and the default.
//@ env: KMP_BLOCKTIME=soon
//@ threads: 2
//@ expect-stderr: KMP_BLOCKTIME soon using
#include "one_team.h"
