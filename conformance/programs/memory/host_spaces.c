// LLVM's allocators and spaces of memory that devices share: on a host without devices their fallback serves.
//@ compilers: clang
//@ stock-fails: clang because it has no such memory without its offloading library
#include "check.h"

int main(void) {
    static const omp_allocator_handle_t all[] = {llvm_omp_target_host_mem_alloc, llvm_omp_target_shared_mem_alloc,
                                                 llvm_omp_target_device_mem_alloc};
    static const omp_memspace_handle_t spaces[] = {llvm_omp_target_host_mem_space, llvm_omp_target_shared_mem_space,
                                                   llvm_omp_target_device_mem_space};
    for (int i = 0; i < 3; i++) {
        char *p = omp_alloc(100, all[i]);
        CHECK(p, "allocator %d", i);
        p[99] = 1;
        omp_free(p, all[i]);
        omp_alloctrait_t null = {omp_atk_fallback, omp_atv_null_fb};
        omp_allocator_handle_t strict = omp_init_allocator(spaces[i], 1, &null), mild = omp_init_allocator(spaces[i], 0, NULL);
        CHECK(strict != omp_null_allocator && !omp_alloc(100, strict), "null_fb of space %d", i);
        p = omp_alloc(100, mild);
        CHECK(p, "default_mem_fb of space %d", i);
        omp_free(p, mild);
        omp_destroy_allocator(strict);
        omp_destroy_allocator(mild);
    }
    return verdict();
}
