// A false if clause serialises the region: a team of one, level counted, not active, the same thread.
// OpenMP 5.1, 2.6 and 2.18 (if clause)
#include <pthread.h>

#include "check.h"

int main(void) {
    int want = omp_get_max_threads();
    pthread_t self = pthread_self();
    for (int round = 0; round < 20; round++) {
        int yes = round % 2, count = 0;
#pragma omp parallel if (yes) reduction(+ : count)
        {
            count++;
            CHECK_EQ(omp_get_num_threads(), yes ? want : 1);
            CHECK_EQ(omp_get_level(), 1);
            CHECK_EQ(omp_get_active_level(), yes && want > 1);
            if (!yes) CHECK(pthread_equal(pthread_self(), self), "another thread");
        }
        CHECK_EQ(count, yes ? want : 1);
        CHECK_EQ(omp_get_level(), 0);
    }
    int count = 0;
#pragma omp parallel if (0) num_threads(8)
    {
        CHECK_EQ(omp_get_num_threads(), 1);
#pragma omp for reduction(+ : count)
        for (int i = 0; i < 10; i++) count++;
#pragma omp single
        count++;
#pragma omp barrier
#pragma omp critical
        count++;
#pragma omp sections
        {
#pragma omp section
            count++;
#pragma omp section
            count++;
        }
    }
    CHECK_EQ(count, 14);
    return verdict();
}
