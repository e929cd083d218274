// The pool_size trait: what does not fit fails as the fallback trait says, and freed memory can be had again.
// OpenMP 5.1, 2.13.2
//@ needs: clang 14, gcc 12
#include "check.h"

int main(void) {
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, 8192}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
    CHECK(pool != omp_null_allocator, "a pool");
    for (int round = 0; round < 50; round++) {
        char *p = omp_alloc(3000, pool), *q = omp_alloc(3000, pool);
        CHECK(p && q, "two blocks fit in round %d", round);
        CHECK(!omp_alloc(3000, pool), "a third one does not");
        CHECK(!omp_calloc(1, 3000, pool) && !omp_aligned_alloc(64, 3008, pool), "nor one of another kind");
        omp_free(p, pool);
        p = omp_alloc(3000, pool);
        CHECK(p, "the room of a freed block");
        p[2999] = q[2999] = 1;
        omp_free(q, omp_null_allocator);
        omp_free(p, pool);
    }
    CHECK(!omp_alloc(8193, pool), "more than the pool");
    omp_destroy_allocator(pool);
    return verdict();
}
