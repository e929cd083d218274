// The traits of OpenMP 6.0 about devices and parts, by their numbers: values of theirs are taken, others are refused.
// OpenMP 6.0, chapter 8
//@ needs: gcc 11
//@ stock-fails: gcc because it does not know them
//@ stock-fails: clang because it does not know them
#include "check.h"
#include <stdint.h>
#include <string.h>

enum { PIN_DEVICE = 9, PREFERRED_DEVICE, DEVICE_ACCESS, TARGET_ACCESS, ATOMIC_SCOPE, PART_SIZE };
enum { DEVICE = 7, ALL = 19, SINGLE, MULTIPLE, MEMSPACE };

static int taken(int key, omp_uintptr_t value) {
    omp_alloctrait_t trait = {(omp_alloctrait_key_t)key, value};
    omp_allocator_handle_t made = omp_init_allocator(omp_default_mem_space, 1, &trait);
    if (made == omp_null_allocator) return 0;
    char *p = omp_alloc(1000, made);
    CHECK(p, "memory with trait %d", key);
    memset(p, 1, 1000);
    omp_free(p, made);
    omp_destroy_allocator(made);
    return 1;
}

int main(void) {
    const omp_uintptr_t standard = (omp_uintptr_t)-1;
    static const struct { int key, value; } good[] = {
        {omp_atk_access, DEVICE}, {omp_atk_access, ALL}, {omp_atk_access, MEMSPACE}, {PREFERRED_DEVICE, 0}, {PIN_DEVICE, 0},
        {DEVICE_ACCESS, SINGLE}, {TARGET_ACCESS, SINGLE}, {TARGET_ACCESS, MULTIPLE}, {ATOMIC_SCOPE, ALL}, {ATOMIC_SCOPE, DEVICE},
        {PART_SIZE, 1}, {PART_SIZE, 65536},
    };
    for (unsigned i = 0; i < sizeof good / sizeof good[0]; i++)
        CHECK(taken(good[i].key, (omp_uintptr_t)good[i].value), "trait %d with value %d", good[i].key, good[i].value);
    for (int key = PIN_DEVICE; key <= PART_SIZE; key++) CHECK(taken(key, standard), "trait %d with its default", key);
    static const struct { int key, value; } bad[] = {
        {omp_atk_access, SINGLE}, {TARGET_ACCESS, ALL}, {DEVICE_ACCESS, MEMSPACE}, {ATOMIC_SCOPE, SINGLE}, {PART_SIZE, 0}, {PART_SIZE + 1, 1},
    };
    for (unsigned i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK(!taken(bad[i].key, (omp_uintptr_t)bad[i].value), "trait %d with value %d", bad[i].key, bad[i].value);
    CHECK(!taken(PIN_DEVICE, (omp_uintptr_t)1 << 40), "a number that no device has");

    omp_alloctrait_t parts[] = {{omp_atk_partition, omp_atv_interleaved}, {(omp_alloctrait_key_t)PART_SIZE, 3 * 65536}};
    omp_allocator_handle_t parted = omp_init_allocator(omp_default_mem_space, 2, parts);
    int *p = omp_alloc(1000000 * sizeof *p, parted);
    CHECK(p, "memory in parts");
#pragma omp parallel for
    for (int i = 0; i < 1000000; i++) p[i] = i;
    CHECK_EQ(p[999999], 999999);
    omp_free(p, parted);
    omp_destroy_allocator(parted);
    return verdict();
}
