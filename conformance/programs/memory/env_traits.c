// OMP_ALLOCATOR describes an allocator by a memory space and traits. OpenMP 5.1, 6.22
//@ env: OMP_ALLOCATOR=omp_low_lat_mem_space : alignment = 2048 , pool_size=10000,fallback=null_fb,sync_hint=serialized,access=all
//@ threads: 1 4
//@ stock-fails: gcc because it counts its headers, of 2048 bytes each here
//@ stock-fails: clang because it does not take spaces
//@ needs: gcc 11
#include "check.h"
#include <stdint.h>

int main(void) {
    omp_allocator_handle_t given = omp_get_default_allocator();
    CHECK(given != omp_null_allocator && given != omp_default_mem_alloc && given != omp_low_lat_mem_alloc, "an allocator of its own");
    char *p = omp_alloc(6000, omp_null_allocator);
    CHECK(p && (uintptr_t)p % 2048 == 0, "alignment of %p", p);
    CHECK(!omp_alloc(4001, omp_null_allocator) && !omp_alloc(4001, given), "the pool's size");
    char *q = omp_alloc(4000, given);
    CHECK(q, "the rest of the pool");
    omp_free(p, omp_null_allocator);
    omp_free(q, given);
    char *big = omp_alloc(20000, omp_default_mem_alloc);
    CHECK(big, "other allocators");
    omp_free(big, omp_default_mem_alloc);
#pragma omp parallel
    CHECK(omp_get_default_allocator() == given, "inherited");
    return verdict();
}
