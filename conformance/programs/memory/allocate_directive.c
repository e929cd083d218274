// The allocate directive: local variables with an allocator and an alignment, in functions that many threads run.
// OpenMP 5.1, 2.13.3
//@ compilers: clang
#include "check.h"
#include <stdint.h>

static int sum_of(int n, omp_allocator_handle_t made) {
    int first[10], second[10];
    double third;
#pragma omp allocate(first) allocator(omp_default_mem_alloc)
#pragma omp allocate(second) allocator(made)
#pragma omp allocate(third) allocator(omp_thread_mem_alloc) align(512)
    int sum = 0;
    CHECK((uintptr_t)second % 128 == 0, "second at %p", (void *)second);
    CHECK((uintptr_t)&third % 512 == 0, "third at %p", (void *)&third);
    third = n;
    for (int i = 0; i < 10; i++) {
        first[i] = i;
        second[i] = n * i;
    }
    if (n > 0) sum += sum_of(n - 1, made);
    for (int i = 0; i < 10; i++) sum += first[i] + second[i];
    return sum + (int)third;
}

int main(void) {
    omp_alloctrait_t traits[] = {{omp_atk_alignment, 128}};
    omp_allocator_handle_t made = omp_init_allocator(omp_default_mem_space, 1, traits);
#pragma omp parallel
    for (int i = 0; i < 20; i++) CHECK_EQ(sum_of(5, made), 6 * 45 + 15 * 45 + 15);
    omp_destroy_allocator(made);
    return verdict();
}
