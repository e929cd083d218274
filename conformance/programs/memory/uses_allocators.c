// uses_allocators on a target construct that the host executes: allocators made of traits for the region alone, and predefined ones.
// OpenMP 5.1, 2.14.5
//@ compilers: clang
//@ needs: clang 17
#include "check.h"
#include <stdint.h>

int main(void) {
    omp_allocator_handle_t mine;
    const omp_alloctrait_t traits[] = {{omp_atk_alignment, 256}, {omp_atk_pool_size, 100000}};
    int good = 0, x = 7;
    for (int round = 0; round < 5; round++) {
#pragma omp target uses_allocators(omp_thread_mem_alloc, mine(traits)) firstprivate(x) allocate(omp_thread_mem_alloc : x) map(tofrom : good)
        {
            char *p = omp_alloc(1000, mine);
            if (p && (uintptr_t)p % 256 == 0 && x == 7) good++;
            p[999] = 1;
            omp_free(p, mine);
        }
    }
    CHECK_EQ(good, 5);
    return verdict();
}
