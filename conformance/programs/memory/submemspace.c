// The resources of the default memory space, and parts of it: what has the same resources has the same handle, and allocators of each part give
// memory. OpenMP 6.0, chapter 27
//@ needs: gcc 11
//@ libs: dl
//@ stock-fails: gcc because it lacks the routines
//@ stock-fails: clang because it lacks the routines
#define _GNU_SOURCE
#include "check.h"
#include "device_spaces.h"
#include <string.h>

int main(void) {
    CHECK_EQ(look_up(), 0);
    int count = memspace_num_resources(DEFAULT_SPACE);
    CHECK(count >= 1, "%d resources", count);
    CHECK_EQ(memspace_num_resources(NO_SPACE), 0);
    CHECK_EQ(memspace_num_resources(98), 0);
    int all[1024];
    for (int i = 0; i < count && i < 1024; i++) all[i] = i;
    CHECK_EQ(submemspace(DEFAULT_SPACE, count, all), DEFAULT_SPACE);
    for (int i = 0; i < count; i++) {
        int twice[] = {i, i};
        handle part = submemspace(DEFAULT_SPACE, 1, &i);
        CHECK(part != NO_SPACE, "part %d", i);
        CHECK_EQ(submemspace(DEFAULT_SPACE, 2, twice), part);
        CHECK_EQ(memspace_num_resources(part), 1);
        omp_alloctrait_t trait = {omp_atk_alignment, 128};
        omp_allocator_handle_t made = omp_init_allocator((omp_memspace_handle_t)part, 1, &trait);
        CHECK(made != omp_null_allocator, "an allocator of part %d", i);
        char *p = omp_alloc(50000, made);
        CHECK(p && (uintptr_t)p % 128 == 0, "memory of part %d", i);
        memset(p, 1, 50000);
        omp_free(p, made);
        omp_destroy_allocator(made);
    }
    CHECK_EQ(submemspace(DEFAULT_SPACE, 1, &count), NO_SPACE);
    CHECK_EQ(submemspace(DEFAULT_SPACE, 0, all), NO_SPACE);
    CHECK_EQ(submemspace(DEFAULT_SPACE, -1, all), NO_SPACE);
    CHECK_EQ(submemspace(DEFAULT_SPACE, 1, NULL), NO_SPACE);
    CHECK_EQ(submemspace(NO_SPACE, 1, all), NO_SPACE);
    return verdict();
}
