// KMP_HOT_TEAMS_MODE=0: teams that shrink and grow work, whether their spare threads stay or go.
//@ env: KMP_HOT_TEAMS_MODE=0
#include "sizes.h"
