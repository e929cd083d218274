// OMP_SCHEDULE=`trapezoidal`, one of libomp's further kinds, divides schedule(runtime) loops, each iteration once.
// libomp's reference; OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=trapezoidal
//@ threads: 1 2 3 8
//@ stock-fails: gcc because libgomp does not know this kind
#define KIND 101
#include "further_kind.h"
