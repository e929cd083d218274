// KMP_HOT_TEAMS_MAX_LEVEL=1: teams that are nested deeper are given up at the end of their regions.
//@ env: KMP_HOT_TEAMS_MAX_LEVEL=1
#include "nested_teams.h"
