// allocate directives of gcc 14 and later, for variables of functions and for static ones, and gcc 16's memory space for managed memory,
// which is the host's where there is no device. OpenMP 5.1, 2.13.1, 2.13.3
//@ compilers: gcc
//@ needs: gcc 16
#include "check.h"
#include <stdint.h>

static int fixed[10];
#pragma omp allocate(fixed) allocator(omp_cgroup_mem_alloc) align(128)

int main(void) {
    CHECK_EQ((uintptr_t)fixed % 128, 0);
    omp_alloctrait_t aligned = {omp_atk_alignment, 256};
    omp_allocator_handle_t managed = omp_init_allocator(ompx_gnu_managed_mem_space, 1, &aligned);
    CHECK(managed != omp_null_allocator, "no allocator");
    void *memory = omp_alloc(10, managed);
    CHECK(memory && (uintptr_t)memory % 256 == 0, "%p", memory);
    omp_free(memory, managed);
    omp_alloctrait_t strict[] = {{omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t none = omp_init_allocator(ompx_gnu_managed_mem_space, 1, strict);
    CHECK(none != omp_null_allocator && omp_alloc(10, none) == NULL, "memory that no device shares");
    omp_destroy_allocator(none);
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
        int n = 20 + omp_get_thread_num(), scalar, array[n];
#pragma omp allocate(scalar, array) allocator(managed) align(64)
        scalar = n;
        for (int i = 0; i < n; i++) array[i] = i;
        CHECK((uintptr_t)array % 64 == 0 && (uintptr_t)&scalar % 64 == 0, "%p %p", (void *)array, (void *)&scalar);
        sum += scalar - n + (array[n - 1] != n - 1);
    }
    CHECK_EQ(sum, 0);
    omp_destroy_allocator(managed);
    void *p = omp_alloc(10, ompx_gnu_managed_mem_alloc);
    CHECK(p != NULL, "no memory");
    omp_free(p, ompx_gnu_managed_mem_alloc);
    return verdict();
}
