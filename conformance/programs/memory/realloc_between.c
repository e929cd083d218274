// omp_realloc moves blocks between allocators, and takes the block's own where it is given none. OpenMP 5.1, 3.13.9
//@ stock-fails: clang because it takes the default allocator, not the block's own
//@ needs: gcc 12
#include "check.h"
#include <stdint.h>
#include <string.h>

static int same(const char *p, size_t n, int mark) {
    for (size_t i = 0; i < n; i++)
        if (p[i] != (char)(mark + i)) return 0;
    return 1;
}

int main(void) {
    omp_alloctrait_t wide[] = {{omp_atk_alignment, 512}}, pool[] = {{omp_atk_pool_size, 1 << 20}};
    omp_allocator_handle_t all[] = {omp_default_mem_alloc, omp_init_allocator(omp_default_mem_space, 1, wide), omp_thread_mem_alloc,
                                    omp_init_allocator(omp_large_cap_mem_space, 1, pool)};
    enum { N = sizeof all / sizeof all[0] };
#pragma omp parallel
    for (int from = 0; from < N; from++)
        for (int to = 0; to < N; to++) {
            int mark = omp_get_thread_num() * 7 + from;
            char *p = omp_alloc(300, all[from]);
            for (int i = 0; i < 300; i++) p[i] = (char)(mark + i);
            p = omp_realloc(p, 900, all[to], all[from]);
            CHECK(p && same(p, 300, mark), "from %d to %d", from, to);
            CHECK(to != 1 || (uintptr_t)p % 512 == 0, "alignment of the new allocator: %p", p);
            p = omp_realloc(p, 200, omp_null_allocator, omp_null_allocator);
            CHECK(p && same(p, 200, mark), "smaller in %d", to);
            CHECK(to != 1 || (uintptr_t)p % 512 == 0, "alignment of the block's own allocator: %p", p);
            omp_free(p, omp_null_allocator);
        }
    omp_destroy_allocator(all[1]);
    omp_destroy_allocator(all[3]);
    return verdict();
}
