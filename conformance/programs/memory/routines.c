// omp_alloc, omp_aligned_alloc, omp_calloc, omp_aligned_calloc, omp_realloc and omp_free on every thread: sizes, alignment,
// contents, and what is asked for nothing. OpenMP 5.1, 3.13
//@ stock-fails: clang because it aligns to 8 bytes only
//@ needs: clang 14, gcc 12
#include "check.h"
#include <stddef.h>
#include <stdint.h>
#include <string.h>

static int all(const unsigned char *p, size_t n, unsigned char value) {
    for (size_t i = 0; i < n; i++)
        if (p[i] != value) return 0;
    return 1;
}

static void sizes(int mark) {
    for (size_t n = 1; n < 5000; n = n * 3 + 1) {
        unsigned char *p = omp_alloc(n, omp_default_mem_alloc);
        CHECK(p && (uintptr_t)p % _Alignof(max_align_t) == 0, "omp_alloc(%zu) = %p", n, (void *)p);
        memset(p, mark, n);
        unsigned char *q = omp_calloc(n, 3, omp_default_mem_alloc);
        CHECK(q && all(q, 3 * n, 0), "omp_calloc(%zu)", n);
        CHECK(all(p, n, (unsigned char)mark), "blocks overlap");
        omp_free(p, omp_default_mem_alloc);
        omp_free(q, omp_null_allocator);
    }
}

static void alignments(void) {
    for (size_t a = 1; a <= 65536; a *= 2) {
        unsigned char *p = omp_aligned_alloc(a, 2 * a, omp_default_mem_alloc);
        CHECK(p && (uintptr_t)p % a == 0, "omp_aligned_alloc(%zu) = %p", a, (void *)p);
        memset(p, 1, 2 * a);
        unsigned char *q = omp_aligned_calloc(a, 3, a, omp_default_mem_alloc);
        CHECK(q && (uintptr_t)q % a == 0 && all(q, 3 * a, 0), "omp_aligned_calloc(%zu) = %p", a, (void *)q);
        omp_free(q, omp_default_mem_alloc);
        omp_free(p, omp_null_allocator);
    }
}

static void reallocations(int mark) {
    unsigned char *p = omp_realloc(NULL, 10, omp_default_mem_alloc, omp_null_allocator);
    CHECK(p, "omp_realloc of NULL");
    memset(p, mark, 10);
    for (size_t n = 20; n < 100000; n *= 5) {
        p = omp_realloc(p, n, omp_default_mem_alloc, omp_default_mem_alloc);
        CHECK(p && all(p, 10, (unsigned char)mark), "omp_realloc to %zu", n);
    }
    p = omp_realloc(p, 5, omp_null_allocator, omp_null_allocator);
    CHECK(p && all(p, 5, (unsigned char)mark), "omp_realloc to 5");
    CHECK(!omp_realloc(p, 0, omp_default_mem_alloc, omp_default_mem_alloc), "omp_realloc to nothing");
}

int main(void) {
#pragma omp parallel
    {
        int mark = omp_get_thread_num() + 1;
        sizes(mark);
        alignments();
        reallocations(mark);
        CHECK(!omp_alloc(0, omp_default_mem_alloc), "omp_alloc(0)");
        CHECK(!omp_calloc(0, 8, omp_default_mem_alloc) && !omp_calloc(8, 0, omp_default_mem_alloc), "omp_calloc(0)");
        CHECK(!omp_aligned_alloc(64, 0, omp_default_mem_alloc), "omp_aligned_alloc(0)");
        omp_free(NULL, omp_default_mem_alloc);
    }
    return verdict();
}
