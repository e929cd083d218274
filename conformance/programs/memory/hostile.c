// Handles that name no allocator, memory that no allocator gave, blocks freed twice, and sizes that cannot be: a line for each kind
// of mistake, and the program goes on. OpenMP 5.1, 3.13
//@ compilers: gcc clang
//@ flags: -Wno-alloc-size-larger-than -Wno-unknown-warning-option -Wno-free-nonheap-object -Wno-mismatched-dealloc -Wno-use-after-free
//@ expect-stderr: omp_alloc 0x4d is no allocator; using omp_default_mem_alloc
//@ expect-stderr: omp_set_default_allocator 0x4d is no allocator; the default allocator stays
//@ expect-stderr: omp_destroy_allocator is no allocator of the program's; left alone
//@ expect-stderr: omp_free is no memory of an allocator, or has been freed; left alone
//@ expect-stderr: omp_aligned_alloc: 48 is no alignment; returning a null pointer
//@ stock-fails: gcc because it crashes
//@ stock-fails: clang because it crashes
//@ needs: clang 14, gcc 12
#include "check.h"
#include <stdint.h>

int main(void) {
    volatile omp_uintptr_t seventy_seven = 77;
    omp_allocator_handle_t none = (omp_allocator_handle_t)seventy_seven;
    void *p = omp_alloc(10, none);
    CHECK(p, "memory in spite of the handle");
    omp_free(p, none);
    omp_free(omp_alloc(10, none), omp_null_allocator);
    omp_set_default_allocator(none);
    CHECK_EQ(omp_get_default_allocator(), omp_default_mem_alloc);

    omp_allocator_handle_t made = omp_init_allocator(omp_default_mem_space, 0, NULL);
    omp_destroy_allocator(made);
    omp_destroy_allocator(made);
    omp_destroy_allocator(omp_default_mem_alloc);
    p = omp_alloc(10, omp_default_mem_alloc);
    CHECK(p, "a predefined allocator that was to be destroyed");

    long long words[32] = {0};
    void *volatile on_stack = &words[16];
    omp_free(on_stack, omp_default_mem_alloc);
    CHECK(!omp_realloc(on_stack, 100, omp_default_mem_alloc, omp_default_mem_alloc), "omp_realloc of the stack");
    void *volatile odd = (char *)p + 1;
    omp_free(odd, omp_default_mem_alloc);
    omp_free(p, omp_default_mem_alloc);
    void *volatile again = p;
    omp_free(again, omp_default_mem_alloc);

    CHECK(!omp_aligned_alloc(48, 96, omp_default_mem_alloc) && !omp_aligned_alloc(0, 96, omp_default_mem_alloc), "alignments");
    volatile size_t huge = SIZE_MAX;
    CHECK(!omp_alloc(huge, omp_default_mem_alloc) && !omp_alloc(huge / 2, omp_large_cap_mem_alloc), "sizes");
    CHECK(!omp_calloc(huge / 4, 8, omp_default_mem_alloc) && !omp_calloc(2, huge, omp_const_mem_alloc), "products");
    CHECK(!omp_aligned_alloc(((size_t)1) << 63, 64, omp_default_mem_alloc), "an alignment that cannot be");
    p = omp_alloc(100, omp_default_mem_alloc);
    CHECK(!omp_realloc(p, huge, omp_default_mem_alloc, omp_default_mem_alloc), "omp_realloc to what cannot be");
    omp_free(p, omp_default_mem_alloc);
    return verdict();
}
