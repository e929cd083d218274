// An allocator of each memory space, whether the machine has such memory or not: the fallback gives what the space lacks.
// OpenMP 5.1, 2.13.1
//@ stock-fails: gcc because it gives no allocator for high-bandwidth memory
//@ stock-fails: clang because it gives no allocator for high-bandwidth memory
//@ needs: gcc 11
#include "check.h"
#include <stdint.h>
#include <string.h>

int main(void) {
    static const omp_memspace_handle_t spaces[] = {omp_default_mem_space, omp_large_cap_mem_space, omp_const_mem_space,
                                                   omp_high_bw_mem_space, omp_low_lat_mem_space};
#pragma omp parallel
    for (int i = 0; i < 5; i++) {
        omp_alloctrait_t traits[] = {{omp_atk_alignment, 64}, {omp_atk_sync_hint, omp_atv_private}, {omp_atk_access, omp_atv_thread}};
        omp_allocator_handle_t made = omp_init_allocator(spaces[i], 3, traits);
        CHECK(made != omp_null_allocator, "space %d", i);
        char *p = omp_alloc(5000, made);
        CHECK(p && (uintptr_t)p % 64 == 0, "memory of space %d: %p", i, p);
        memset(p, i, 5000);
        CHECK(p[0] == i && p[4999] == i, "contents in space %d", i);
        omp_free(p, made);
        omp_destroy_allocator(made);
    }
    return verdict();
}
