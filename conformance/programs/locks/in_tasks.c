// Locks are owned by tasks: set and unset around work in tasks of any thread, simple inside nestable.
// OpenMP 5.1, 3.9 (lock ownership)
#include "check.h"

int main(void) {
    omp_lock_t lock;
    omp_nest_lock_t nest;
    long sum = 0;
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 150; i++) {
#pragma omp task shared(sum, lock, nest) firstprivate(i)
        {
            if (i % 2) {
                omp_set_lock(&lock);
                sum += i;
                omp_unset_lock(&lock);
            } else {
                omp_set_nest_lock(&nest);
                omp_set_nest_lock(&nest);
                omp_set_lock(&lock);
                sum += i;
                omp_unset_lock(&lock);
                omp_unset_nest_lock(&nest);
                omp_unset_nest_lock(&nest);
            }
        }
    }
    CHECK_EQ(sum, 150 * 149 / 2);
    omp_destroy_lock(&lock);
    omp_destroy_nest_lock(&nest);
    return verdict();
}
