// A value of OMP_ALLOCATOR that is none costs one line, and the default stays. OpenMP 5.1, 6.22
//@ env: OMP_ALLOCATOR=omp_default_mem_space:fallback=allocator_fb
//@ threads: 2
//@ expect-stderr: OMP_ALLOCATOR='omp_default_mem_space:fallback=allocator_fb' using omp_default_mem_alloc
//@ stock-fails: clang because it stops the program
//@ needs: gcc 11
#include "default_stays.h"
