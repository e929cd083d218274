// Every value of the partition trait gives memory that all threads can use, on machines with one NUMA domain and with more.
// OpenMP 5.1, 2.13.2
//@ needs: gcc 12
#include "check.h"
#include <stdint.h>
#include <string.h>

int main(void) {
    static const omp_uintptr_t values[] = {omp_atv_environment, omp_atv_nearest, omp_atv_blocked, omp_atv_interleaved, omp_atv_default};
    for (int v = 0; v < 5; v++) {
        omp_alloctrait_t traits[] = {{omp_atk_partition, values[v]}, {omp_atk_alignment, 32}};
        omp_allocator_handle_t parted = omp_init_allocator(omp_default_mem_space, 2, traits);
        CHECK(parted != omp_null_allocator, "value %d", v);
        enum { N = 100000 };
        double *p = omp_alloc(N * sizeof *p, parted), sum = 0;
        CHECK(p && (uintptr_t)p % 32 == 0, "memory with value %d", v);
#pragma omp parallel for
        for (int i = 0; i < N; i++) p[i] = i;
#pragma omp parallel for reduction(+ : sum)
        for (int i = 0; i < N; i++) sum += p[i];
        CHECK(sum == (double)N * (N - 1) / 2, "sum %f", sum);
        p = omp_realloc(p, 10 * sizeof *p, parted, parted);
        CHECK(p && p[9] == 9, "omp_realloc with value %d", v);
        omp_free(p, parted);
        omp_destroy_allocator(parted);
    }
    return verdict();
}
