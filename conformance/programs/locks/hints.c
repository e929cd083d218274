// Locks initialised with each synchronisation hint and combinations of them exclude like any other.
// OpenMP 5.1, 3.9.2 (omp_init_lock_with_hint)
//@ compilers: clang
#include "check.h"

int main(void) {
    static const omp_sync_hint_t hints[] = {
        omp_sync_hint_none, omp_sync_hint_uncontended, omp_sync_hint_contended, omp_sync_hint_nonspeculative,
        omp_sync_hint_speculative, (omp_sync_hint_t)(omp_sync_hint_contended | omp_sync_hint_nonspeculative)};
    int threads = omp_get_max_threads();
    for (unsigned h = 0; h < sizeof hints / sizeof *hints; h++) {
        omp_lock_t lock;
        omp_nest_lock_t nest;
        int count = 0, nested = 0;
        omp_init_lock_with_hint(&lock, hints[h]);
        omp_init_nest_lock_with_hint(&nest, hints[h]);
#pragma omp parallel
        for (int i = 0; i < 25; i++) {
            omp_set_lock(&lock);
            count++;
            omp_unset_lock(&lock);
            omp_set_nest_lock(&nest);
            omp_set_nest_lock(&nest);
            nested++;
            omp_unset_nest_lock(&nest);
            nested++;
            omp_unset_nest_lock(&nest);
        }
        CHECK_EQ(count, 25 * threads);
        CHECK_EQ(nested, 50 * threads);
        omp_destroy_lock(&lock);
        omp_destroy_nest_lock(&nest);
    }
    return verdict();
}
