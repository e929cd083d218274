// The Fortran spellings of the routines, whose arguments are references, as gfortran (allocators) and older Fortran code (kmp_malloc
// and its kin) call them. OpenMP 5.1, 3.13
//@ compilers: clang
//@ stock-fails: clang because its allocator routines take values in spite of their names
#include "check.h"
#include <stdint.h>
#include <string.h>

omp_allocator_handle_t omp_init_allocator_(const omp_memspace_handle_t *space, const int *count, const omp_alloctrait_t *traits);
omp_allocator_handle_t omp_init_allocator_8_(const omp_memspace_handle_t *space, const int64_t *count, const omp_alloctrait_t *traits);
void omp_destroy_allocator_(const omp_allocator_handle_t *allocator);
void omp_set_default_allocator_(const omp_allocator_handle_t *allocator);
omp_allocator_handle_t omp_get_default_allocator_(void);
void *kmp_malloc_(const size_t *size);
void *kmp_calloc_(const size_t *count, const size_t *size);
void *kmp_realloc_(void *const *p, const size_t *size);
void *kmp_aligned_malloc_(const size_t *size, const size_t *alignment);
void kmp_free_(void *const *p);
void *kmpc_malloc(size_t size);
void *kmpc_calloc(size_t count, size_t size);
void *kmpc_realloc(void *p, size_t size);
void *kmpc_aligned_malloc(size_t size, size_t alignment);
void kmpc_free(void *p);
#pragma weak omp_init_allocator_8_

int main(void) {
    omp_memspace_handle_t space = omp_default_mem_space;
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 512}};
    int one = 1;
    int64_t wide = 1;
    omp_allocator_handle_t first = omp_init_allocator_(&space, &one, traits);
    omp_allocator_handle_t second = omp_init_allocator_8_ ? omp_init_allocator_8_(&space, &wide, traits) : omp_null_allocator;
    CHECK(first && second && first != second, "allocators");
    void *p = omp_alloc(10, first), *q = omp_alloc(10, second);
    CHECK(p && q && (uintptr_t)p % 512 == 0 && (uintptr_t)q % 512 == 0, "blocks %p, %p", p, q);
    omp_free(p, first);
    omp_free(q, second);
    omp_set_default_allocator_(&first);
    CHECK(omp_get_default_allocator_() == first && omp_get_default_allocator() == first, "the default allocator");
    omp_destroy_allocator_(&second);

    size_t bytes = 100, count = 7, alignment = 256;
    p = kmp_malloc_(&bytes);
    memset(p, 1, bytes);
    bytes = 5000;
    p = kmp_realloc_(&p, &bytes);
    CHECK(((char *)p)[99] == 1, "kmp_realloc_");
    kmp_free_(&p);
    p = kmp_calloc_(&count, &bytes);
    CHECK(((char *)p)[34999] == 0, "kmp_calloc_");
    kmp_free_(&p);
    p = kmp_aligned_malloc_(&bytes, &alignment);
    CHECK(p && (uintptr_t)p % 256 == 0, "kmp_aligned_malloc_: %p", p);
    kmp_free_(&p);

    char *r = kmpc_malloc(10), *s = kmpc_calloc(10, 10), *t = kmpc_aligned_malloc(100, 64);
    CHECK(r && s && s[99] == 0 && (uintptr_t)t % 64 == 0, "the kmpc_ names");
    r = kmpc_realloc(r, 1000);
    r[999] = 1;
    kmpc_free(r);
    kmpc_free(s);
    kmpc_free(t);
    return verdict();
}
