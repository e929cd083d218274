// Blocks are freed by other threads and tasks than those that asked for them. OpenMP 5.1, 3.13.7
//@ needs: gcc 11
#include "check.h"
#include <string.h>

enum { N = 300 };
static char *block[64][N];

int main(void) {
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 8 << 20}, {omp_atk_alignment, 32}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
#pragma omp parallel
    {
        int me = omp_get_thread_num() % 64, threads = omp_get_num_threads();
        for (int i = 0; i < N; i++) {
            block[me][i] = omp_alloc(i + 1, i % 2 ? pool : omp_default_mem_alloc);
            CHECK(block[me][i], "block %d", i);
            memset(block[me][i], me + 1, i + 1);
        }
#pragma omp barrier
        int other = (me + 1) % threads;
        for (int i = 0; i < N; i++) {
            CHECK(block[other][i][0] == other + 1 && block[other][i][i] == other + 1, "contents");
            omp_free(block[other][i], i % 3 ? omp_null_allocator : i % 2 ? pool : omp_default_mem_alloc);
        }
#pragma omp barrier
#pragma omp single
        for (int i = 0; i < 200; i++) {
            char *p = omp_alloc(100, pool);
#pragma omp task firstprivate(p, i)
            {
                p[99] = (char)i;
                omp_free(p, pool);
            }
        }
    }
    char *whole = omp_alloc(7 << 20, pool);
    CHECK(whole, "the pool has got everything back");
    omp_free(whole, pool);
    omp_destroy_allocator(pool);
    return verdict();
}
