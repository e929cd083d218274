// The fallback trait: null_fb, default_mem_fb (also the default) and allocator_fb, in chains of allocators.
// OpenMP 5.1, 2.13.2
//@ needs: gcc 11
#include "check.h"
#include <stdint.h>
#include <string.h>

static omp_allocator_handle_t small(omp_uintptr_t fallback, omp_uintptr_t data) {
    omp_alloctrait_t traits[] = {
        {omp_atk_pool_size, 2048}, {omp_atk_fallback, fallback}, {omp_atk_alignment, 64}, {omp_atk_fb_data, data}};
    return omp_init_allocator(omp_default_mem_space, data ? 4 : 3, traits);
}

int main(void) {
    omp_allocator_handle_t null = small(omp_atv_null_fb, 0), heap = small(omp_atv_default_mem_fb, 0);
    omp_allocator_handle_t first = small(omp_atv_allocator_fb, (omp_uintptr_t)null);
    omp_allocator_handle_t chain = small(omp_atv_allocator_fb, (omp_uintptr_t)first);
    omp_allocator_handle_t other = small(omp_atv_allocator_fb, omp_const_mem_alloc);
    omp_alloctrait_t pool[] = {{omp_atk_pool_size, 2048}};
    omp_allocator_handle_t standard = omp_init_allocator(omp_default_mem_space, 1, pool);
    CHECK(null && heap && first && chain && other && standard, "allocators");

    CHECK(!omp_alloc(4000, null), "null_fb");
    omp_allocator_handle_t that_have[] = {heap, other, standard};
    for (int i = 0; i < 3; i++) {
        char *p = omp_alloc(40000, that_have[i]);
        CHECK(p, "fallback %d", i);
        memset(p, 1, 40000);
        omp_free(p, that_have[i]);
    }
    // Three pools behind one another, each with room for one block.
    char *p[4];
    for (int i = 0; i < 4; i++) p[i] = omp_alloc(1500, chain);
    CHECK(p[0] && p[1] && p[2] && !p[3], "%p %p %p %p", p[0], p[1], p[2], p[3]);
    CHECK((uintptr_t)p[0] % 64 == 0 && (uintptr_t)p[1] % 64 == 0 && (uintptr_t)p[2] % 64 == 0, "alignment in a chain");
    CHECK(!omp_alloc(1500, first) && !omp_alloc(1500, null), "the chain's pools are full");
    omp_free(p[1], chain);
    p[1] = omp_alloc(1500, first);
    CHECK(p[1], "the room in the middle of the chain");
    for (int i = 0; i < 3; i++) omp_free(p[i], omp_null_allocator);
    omp_destroy_allocator(chain);
    omp_destroy_allocator(first);
    omp_destroy_allocator(null);
    omp_destroy_allocator(heap);
    omp_destroy_allocator(other);
    omp_destroy_allocator(standard);
    return verdict();
}
