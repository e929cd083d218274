// Nestable locks count: the owner takes and tests them again, others wait until the count is zero, across recursive calls.
// OpenMP 5.1, 3.9
#include "check.h"

static omp_nest_lock_t lock;
static int depth_sum, inside;

static void recurse(int depth) {
    omp_set_nest_lock(&lock);
    CHECK_EQ(inside, 4 - depth);
    inside++;
    depth_sum += depth;
    if (depth > 0) recurse(depth - 1);
    inside--;
    omp_unset_nest_lock(&lock);
}

int main(void) {
    int threads = omp_get_max_threads();
    omp_init_nest_lock(&lock);
#pragma omp parallel
    for (int i = 0; i < 30; i++) recurse(4);
    CHECK_EQ(depth_sum, threads * 30 * 10);
    CHECK_EQ(omp_test_nest_lock(&lock), 1);
    CHECK_EQ(omp_test_nest_lock(&lock), 2);
    omp_set_nest_lock(&lock);
    CHECK_EQ(omp_test_nest_lock(&lock), 4);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) CHECK_EQ(omp_test_nest_lock(&lock), 0);
    for (int i = 0; i < 4; i++) omp_unset_nest_lock(&lock);
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 1) {
        CHECK_EQ(omp_test_nest_lock(&lock), 1);
        omp_unset_nest_lock(&lock);
    }
    omp_destroy_nest_lock(&lock);
    return verdict();
}
