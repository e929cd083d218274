// A value of OMP_ALLOCATOR that is none costs one line, and the default stays. OpenMP 5.1, 6.22
//@ env: OMP_ALLOCATOR=malloc
//@ threads: 2
//@ expect-stderr: OMP_ALLOCATOR='malloc' using omp_default_mem_alloc
//@ needs: gcc 11
#include "default_stays.h"
