// Threads make, use and destroy thousands of allocators at the same time. OpenMP 5.1, 3.13.2, 3.13.3
//@ needs: gcc 11
#include "check.h"
#include <stdint.h>
#include <string.h>

int main(void) {
#pragma omp parallel
    {
        enum { N = 20 };
        omp_allocator_handle_t mine[N];
        char *block[N];
        for (int round = 0; round < 30; round++) {
            for (int i = 0; i < N; i++) {
                omp_alloctrait_t traits[] = {{omp_atk_alignment, (omp_uintptr_t)1 << (i % 8)},
                                             {omp_atk_pool_size, 4000},
                                             {omp_atk_fallback, omp_atv_null_fb}};
                mine[i] = omp_init_allocator(omp_default_mem_space, 3, traits);
                CHECK(mine[i] != omp_null_allocator, "allocator %d", i);
                block[i] = omp_alloc(100 + i, mine[i]);
                CHECK(block[i] && ((uintptr_t)block[i] & ((1 << (i % 8)) - 1)) == 0, "block %d", i);
                memset(block[i], i, 100 + i);
                CHECK(!omp_alloc(5000, mine[i]), "its own pool");
            }
            for (int i = 0; i < N; i++) {
                for (int j = 0; j < 100 + i; j++)
                    if (block[i][j] != i) CHECK(0, "byte %d of block %d", j, i);
                omp_free(block[i], mine[i]);
                omp_destroy_allocator(mine[i]);
            }
        }
    }
    return verdict();
}
