// A pool's bytes are those of its blocks, to the last one, also where many threads take and give them back at once.
// OpenMP 5.1, 2.13.2
//@ stock-fails: gcc because it counts its headers
//@ stock-fails: clang because it counts its headers
//@ needs: gcc 12
#include "check.h"

int main(void) {
    enum { UNIT = 24, UNITS = 40 };
    omp_alloctrait_t traits[] = {{omp_atk_pool_size, UNIT * UNITS}, {omp_atk_fallback, omp_atv_null_fb}};
    omp_allocator_handle_t pool = omp_init_allocator(omp_default_mem_space, 2, traits);
    char *p[UNITS + 1];
    int held = 0, most = 0;

    for (int i = 0; i <= UNITS; i++) p[i] = omp_alloc(UNIT, pool);
    for (int i = 0; i < UNITS; i++) CHECK(p[i], "unit %d", i);
    CHECK(!p[UNITS], "one more than the pool holds");
    for (int i = 0; i < UNITS; i++) omp_free(p[i], pool);

    char *all = omp_alloc(UNIT * UNITS, pool);
    CHECK(all, "the whole pool");
    CHECK(!omp_alloc(1, pool), "one byte more");
    all = omp_realloc(all, UNIT * UNITS - 1, pool, pool);
    char *one = omp_alloc(1, pool);
    CHECK(all && one && !omp_alloc(1, pool), "the byte that omp_realloc gave back");
    CHECK(!omp_realloc(all, UNIT * UNITS, pool, pool), "a byte that is not there");
    omp_free(one, pool);
    omp_free(omp_realloc(all, UNIT * UNITS, pool, pool), pool);

#pragma omp parallel
    for (int i = 0; i < 400; i++) {
        char *q = omp_alloc(UNIT, pool);
        if (!q) continue;
        int now = __atomic_add_fetch(&held, 1, __ATOMIC_RELAXED);
        CHECK(now <= UNITS, "%d units at a time", now);
        q[UNIT - 1] = 1;
#pragma omp critical
        if (now > most) most = now;
        __atomic_sub_fetch(&held, 1, __ATOMIC_RELAXED);
        omp_free(q, pool);
    }
    CHECK(most > 0, "blocks in the region");
    all = omp_alloc(UNIT * UNITS, pool);
    CHECK(all, "the pool is whole again");
    omp_free(all, pool);
    omp_destroy_allocator(pool);
    return verdict();
}
