// The alignment trait, alone, with a stricter one asked for by the request, and across reallocation. OpenMP 5.1, 2.13.2
//@ needs: clang 14, gcc 12
#include "check.h"
#include <stdint.h>
#include <string.h>

int main(void) {
#pragma omp parallel
    for (size_t a = 1; a <= 8192; a *= 2) {
        omp_alloctrait_t traits[] = {{omp_atk_alignment, a}};
        omp_allocator_handle_t aligned = omp_init_allocator(omp_default_mem_space, 1, traits);
        CHECK(aligned != omp_null_allocator, "alignment %zu", a);
        char *p = omp_alloc(3, aligned), *q = omp_aligned_alloc(4 * a, 4 * a, aligned), *r = omp_calloc(3, 5, aligned);
        char *s = omp_aligned_alloc(1, 7, aligned);
        CHECK(p && (uintptr_t)p % a == 0, "omp_alloc with %zu: %p", a, p);
        CHECK(q && (uintptr_t)q % (4 * a) == 0, "omp_aligned_alloc with %zu: %p", a, q);
        CHECK(r && (uintptr_t)r % a == 0 && r[0] == 0 && r[14] == 0, "omp_calloc with %zu: %p", a, r);
        CHECK(s && (uintptr_t)s % a == 0, "omp_aligned_alloc of 1 with %zu: %p", a, s);
        memcpy(p, "ab", 3);
        p = omp_realloc(p, 100000, aligned, aligned);
        CHECK(p && (uintptr_t)p % a == 0 && strcmp(p, "ab") == 0, "omp_realloc with %zu: %p", a, p);
        p = omp_realloc(p, 3, aligned, aligned);
        CHECK(p && (uintptr_t)p % a == 0 && strcmp(p, "ab") == 0, "omp_realloc back with %zu: %p", a, p);
        omp_free(p, aligned);
        omp_free(q, omp_null_allocator);
        omp_free(r, aligned);
        omp_free(s, aligned);
        omp_destroy_allocator(aligned);
    }
    return verdict();
}
