// Locks that were initialised with any hint, or hints together, lock.
// OpenMP 5.1, 3.9.2
//@ compilers: clang
#include "check.h"

int main(void) {
    const omp_sync_hint_t hints[] = {
        omp_sync_hint_none, omp_sync_hint_uncontended, omp_sync_hint_contended, omp_sync_hint_nonspeculative,
        omp_sync_hint_speculative, (omp_sync_hint_t)(omp_sync_hint_contended | omp_sync_hint_nonspeculative)};
    for (unsigned h = 0; h < sizeof hints / sizeof *hints; h++) {
        omp_lock_t lock;
        omp_nest_lock_t nest;
        long plain = 0, nested = 0;
        omp_init_lock_with_hint(&lock, hints[h]);
        omp_init_nest_lock_with_hint(&nest, hints[h]);
#pragma omp parallel
        for (int i = 0; i < 50; i++) {
            omp_set_lock(&lock);
            plain++;
            omp_unset_lock(&lock);
            omp_set_nest_lock(&nest);
            CHECK_EQ(omp_test_nest_lock(&nest), 2);
            nested++;
            omp_unset_nest_lock(&nest);
            omp_unset_nest_lock(&nest);
        }
        CHECK_EQ(plain, 50L * omp_get_max_threads());
        CHECK_EQ(nested, plain);
        omp_set_lock(&lock);
        CHECK_EQ(omp_test_lock(&lock), 0);
        omp_unset_lock(&lock);
        omp_destroy_lock(&lock);
        omp_destroy_nest_lock(&nest);
    }
    return verdict();
}
