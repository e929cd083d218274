// Dynamic schedule: each iteration exactly once for int, unsigned, long and unsigned long induction variables, steps up and
// down, empty ranges, and sizes around multiples of chunk and team. OpenMP 5.1, 2.11.4, table 2.5
#define SCHEDULE dynamic
#include "each_once.h"
