// The default memory space has the number 99 in clang's headers since LLVM 21, and 0 in gcc's and in older ones; 5 is omp_cgroup_mem_space.
// Allocators of each heed their traits.
//@ needs: gcc 11
//@ stock-fails: gcc because it knows no numbers of LLVM
//@ stock-fails: clang because it ends the program
#include "check.h"
#include <stdint.h>

int main(void) {
    static const int spaces[] = {0, 1, 2, 3, 4, 5, 99};
    for (int i = 0; i < 7; i++) {
        omp_alloctrait_t traits[] = {{omp_atk_alignment, 256}, {omp_atk_pool_size, 1000}, {omp_atk_fallback, omp_atv_default_mem_fb}};
        omp_allocator_handle_t made = omp_init_allocator((omp_memspace_handle_t)spaces[i], 3, traits);
        CHECK(made != omp_null_allocator, "space %d", spaces[i]);
        char *p = omp_alloc(100, made);
        CHECK(p && (uintptr_t)p % 256 == 0, "alignment in space %d: %p", spaces[i], p);
        p[99] = 1;
        omp_free(p, made);
        omp_destroy_allocator(made);
    }
    omp_alloctrait_t strict[] = {{omp_atk_pool_size, 1000}, {omp_atk_fallback, omp_atv_null_fb}};
    static const int ordinary[] = {0, 2, 4, 5, 99};
    for (int i = 0; i < 5; i++) {
        omp_allocator_handle_t made = omp_init_allocator((omp_memspace_handle_t)ordinary[i], 2, strict);
        void *p = omp_alloc(600, made);
        CHECK(p, "memory of space %d", ordinary[i]);
        CHECK(!omp_alloc(600, made), "the pool of space %d", ordinary[i]);
        omp_free(p, made);
        omp_destroy_allocator(made);
    }
    static const int none[] = {6, 50, 98, 103, 1024, 1025, 100000};
    for (int i = 0; i < 7; i++)
        CHECK(omp_init_allocator((omp_memspace_handle_t)none[i], 0, NULL) == omp_null_allocator, "%d is no space", none[i]);
    return verdict();
}
