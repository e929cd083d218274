// OMP_DISPLAY_ENV prints the block of settings between its two marks, on stderr.
// OpenMP 5.1, 6.12
//@ stock-fails: clang because libomp aborts when it prints a guided schedule with a chunk
//@ env: OMP_DISPLAY_ENV=true
//@ env: OMP_SCHEDULE=guided,6
//@ threads: 2
//@ expect-stderr: OPENMP DISPLAY ENVIRONMENT BEGIN
//@ expect-stderr: OPENMP DISPLAY ENVIRONMENT END
//@ expect-stderr: _OPENMP = '
//@ expect-stderr: OMP_NUM_THREADS = '2'
//@ expect-stderr: OMP_SCHEDULE = 'GUIDED,6'
//@ stderr-may-hold-more:
#include "one_team.h"
