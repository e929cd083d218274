// KMP_HOT_TEAMS_MAX_LEVEL=0: teams that are nested deeper are given up at the end of their regions.
//@ env: KMP_HOT_TEAMS_MAX_LEVEL=0
#include "nested_teams.h"
