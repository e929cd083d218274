// thread_limit bounds the threads of each team, and omp_get_thread_limit tells it; outside the region nothing has changed.
// OpenMP 5.1, 2.7, 2.4
#include "check.h"

static void check_limit(int limit) { CHECK_EQ(omp_get_thread_limit(), limit); }

int main(void) {
    int before = omp_get_thread_limit(), largest = 0;
#pragma omp teams num_teams(2) thread_limit(3) shared(largest)
    {
        check_limit(3);
#pragma omp parallel num_threads(9) shared(largest)
        {
            CHECK(omp_get_num_threads() <= 3, "%d threads", omp_get_num_threads());
#pragma omp single
#pragma omp critical
            if (omp_get_num_threads() > largest) largest = omp_get_num_threads();
        }
    }
    CHECK(largest >= 1 && largest <= 3, "%d", largest);
    CHECK_EQ(omp_get_thread_limit(), before);
#pragma omp teams num_teams(1) thread_limit(1)
    {
#pragma omp parallel num_threads(4)
        CHECK_EQ(omp_get_num_threads(), 1);
    }
    return verdict();
}
