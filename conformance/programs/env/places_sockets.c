// OMP_PLACES=`sockets(1)` with binding: each thread runs on processors of one place only.
// OpenMP 5.1, 6.5, 2.6.2
//@ env: OMP_PROC_BIND=true
//@ env: OMP_PLACES=sockets(1)
//@ threads: 1 2 3
#include "bound.h"
