// OMP_ALLOCATOR with a fallback allocator and a partition. OpenMP 5.1, 6.22
//@ env: OMP_ALLOCATOR=omp_default_mem_space:pool_size=64,fallback=allocator_fb,fb_data=omp_large_cap_mem_alloc,partition=interleaved
//@ threads: 1 4
//@ stock-fails: gcc because it does not take a fallback and a partition together
//@ stock-fails: clang because it does not take spaces
//@ needs: gcc 11
#include "check.h"

int main(void) {
    CHECK(omp_get_default_allocator() > omp_thread_mem_alloc, "an allocator of its own");
    char *p = omp_alloc(60000, omp_null_allocator);
    CHECK(p, "memory of the fallback");
    p[59999] = 1;
    omp_free(p, omp_null_allocator);
    return verdict();
}
