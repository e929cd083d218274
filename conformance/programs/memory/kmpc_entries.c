// The entry points by which clang asks for memory, called as its code calls them.
//@ compilers: clang
#include "check.h"
#include <stdint.h>
#include <string.h>

void *__kmpc_alloc(int gtid, size_t size, omp_allocator_handle_t allocator);
void *__kmpc_aligned_alloc(int gtid, size_t alignment, size_t size, omp_allocator_handle_t allocator);
void *__kmpc_calloc(int gtid, size_t count, size_t size, omp_allocator_handle_t allocator);
void *__kmpc_realloc(int gtid, void *p, size_t size, omp_allocator_handle_t allocator, omp_allocator_handle_t free_allocator);
void __kmpc_free(int gtid, void *p, omp_allocator_handle_t allocator);
omp_allocator_handle_t __kmpc_init_allocator(int gtid, omp_memspace_handle_t space, int count, omp_alloctrait_t *traits);
void __kmpc_destroy_allocator(int gtid, omp_allocator_handle_t allocator);
void __kmpc_set_default_allocator(int gtid, omp_allocator_handle_t allocator);
omp_allocator_handle_t __kmpc_get_default_allocator(int gtid);
int __kmpc_global_thread_num(void *loc);

int main(void) {
#pragma omp parallel
    {
        int gtid = __kmpc_global_thread_num(NULL);
        omp_alloctrait_t traits[] = {{omp_atk_alignment, 64}};
        omp_allocator_handle_t made = __kmpc_init_allocator(gtid, omp_default_mem_space, 1, traits);
        char *p = __kmpc_alloc(gtid, 100, made), *q = __kmpc_aligned_alloc(gtid, 256, 100, omp_default_mem_alloc);
        char *r = __kmpc_calloc(gtid, 10, 10, omp_null_allocator);
        CHECK(p && (uintptr_t)p % 64 == 0, "__kmpc_alloc: %p", p);
        CHECK(q && (uintptr_t)q % 256 == 0, "__kmpc_aligned_alloc: %p", q);
        CHECK(r && r[0] == 0 && r[99] == 0, "__kmpc_calloc: %p", r);
        memset(p, 5, 100);
        p = __kmpc_realloc(gtid, p, 3000, made, made);
        CHECK(p && p[0] == 5 && p[99] == 5 && (uintptr_t)p % 64 == 0, "__kmpc_realloc: %p", p);
        CHECK(!__kmpc_alloc(gtid, 0, made), "no bytes");
        __kmpc_free(gtid, p, made);
        __kmpc_free(gtid, q, omp_null_allocator);
        __kmpc_free(gtid, r, omp_null_allocator);
        __kmpc_set_default_allocator(gtid, omp_low_lat_mem_alloc);
        CHECK_EQ(__kmpc_get_default_allocator(gtid), omp_low_lat_mem_alloc);
        __kmpc_set_default_allocator(gtid, omp_null_allocator);
        CHECK_EQ(__kmpc_get_default_allocator(gtid), omp_default_mem_alloc);
        __kmpc_destroy_allocator(gtid, made);
    }
    return verdict();
}
