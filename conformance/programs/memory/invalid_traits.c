// Traits and spaces that do not exist give omp_null_allocator; omp_atv_default gives each trait's default.
// OpenMP 5.1, 3.13.2
//@ stock-fails: gcc because it takes a fallback that is no allocator
//@ stock-fails: clang because it ends the program
//@ needs: gcc 11
#include "check.h"

static omp_allocator_handle_t with(int key, omp_uintptr_t value) {
    omp_alloctrait_t trait = {(omp_alloctrait_key_t)key, value};
    return omp_init_allocator(omp_default_mem_space, 1, &trait);
}

int main(void) {
    static const struct { int key; omp_uintptr_t value; } bad[] = {
        {0, 1}, {15, 1}, {-1, 1}, {1000000, 0},
        {omp_atk_sync_hint, omp_atv_all}, {omp_atk_sync_hint, 2},
        {omp_atk_alignment, 0}, {omp_atk_alignment, 24}, {omp_atk_alignment, (omp_uintptr_t)-2},
        {omp_atk_access, omp_atv_private}, {omp_atk_access, omp_atv_abort_fb},
        {omp_atk_pool_size, 0},
        {omp_atk_fallback, omp_atv_environment}, {omp_atk_fallback, 0}, {omp_atk_fallback, 99},
        {omp_atk_pinned, 2}, {omp_atk_pinned, omp_atv_contended},
        {omp_atk_partition, omp_atv_allocator_fb}, {omp_atk_partition, omp_atv_interleaved + 1},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(with(bad[i].key, bad[i].value) == omp_null_allocator, "trait %d with value %zu", bad[i].key, (size_t)bad[i].value);
    for (int key = omp_atk_sync_hint; key <= omp_atk_partition; key++) {
        if (key == omp_atk_fb_data) continue;
        omp_allocator_handle_t made = with(key, omp_atv_default);
        CHECK(made != omp_null_allocator, "trait %d with its default", key);
        void *p = omp_alloc(100, made);
        CHECK(p, "memory");
        omp_free(p, made);
        omp_destroy_allocator(made);
    }
    omp_alloctrait_t no_data[] = {{omp_atk_fallback, omp_atv_allocator_fb}};
    CHECK(omp_init_allocator(omp_default_mem_space, 1, no_data) == omp_null_allocator, "a fallback without an allocator");
    omp_alloctrait_t bad_data[] = {{omp_atk_fb_data, 77}, {omp_atk_fallback, omp_atv_allocator_fb}};
    CHECK(omp_init_allocator(omp_default_mem_space, 2, bad_data) == omp_null_allocator, "a fallback that is no allocator");
    CHECK(omp_init_allocator((omp_memspace_handle_t)50, 0, NULL) == omp_null_allocator, "a space that is none");
    CHECK(omp_init_allocator(omp_default_mem_space, -3, bad_data) == omp_null_allocator, "fewer than no traits");
    omp_allocator_handle_t plain = omp_init_allocator(omp_default_mem_space, 0, NULL);
    CHECK(plain != omp_null_allocator, "no traits");
    omp_destroy_allocator(plain);
    omp_destroy_allocator(omp_null_allocator);
    return verdict();
}
