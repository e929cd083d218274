// OMP_SCHEDULE=`static_steal,4`, one of libomp's further kinds, keeps its number and divides schedule(runtime) loops, each iteration once.
// libomp's reference; OpenMP 5.1, 6.1
//@ env: OMP_SCHEDULE=static_steal,4
//@ threads: 1 2 3 8
//@ stock-fails: gcc because libgomp does not know this kind
//@ stock-fails: clang because libomp 19 answers dynamic
#define KIND 102
#include "further_kind.h"
