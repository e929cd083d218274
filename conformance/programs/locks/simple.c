// Simple locks: mutual exclusion under contention, test, reuse after destroy, many locks at once.
// OpenMP 5.1, 3.9 (lock routines)
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), rounds = 150, inside = 0;
    long total = 0;
    omp_lock_t lock;
    omp_init_lock(&lock);
#pragma omp parallel
    for (int i = 0; i < rounds; i++) {
        omp_set_lock(&lock);
        CHECK_EQ(inside, 0);
        inside++;
        total++;
        inside--;
        omp_unset_lock(&lock);
    }
    CHECK_EQ(total, (long)threads * rounds);
    CHECK(omp_test_lock(&lock), "a free lock");
    int got = 1;
#pragma omp parallel num_threads(2) reduction(&& : got)
    if (omp_get_thread_num() == 1) got = !omp_test_lock(&lock);
    CHECK(got, "a lock that another holds was taken");
    omp_unset_lock(&lock);
    omp_destroy_lock(&lock);

    enum { MANY = 100 };
    static omp_lock_t locks[MANY];
    static int counts[MANY];
    for (int i = 0; i < MANY; i++) omp_init_lock(&locks[i]);
#pragma omp parallel
    for (int i = 0; i < MANY; i++) {
        int k = (i + omp_get_thread_num() * 13) % MANY;
        omp_set_lock(&locks[k]);
        counts[k]++;
        omp_unset_lock(&locks[k]);
    }
    for (int i = 0; i < MANY; i++) {
        CHECK_EQ(counts[i], threads);
        omp_destroy_lock(&locks[i]);
    }
    return verdict();
}
