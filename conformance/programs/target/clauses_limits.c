// thread_limit on target and teams, num_threads, and the routines that ask for limits inside. OpenMP 5.1, 2.14.5, 3.4.5
//@ devices: 1 3
//@ needs: clang 16, gcc 12
#include "device.h"

// The routine may not be called by a teams region itself.
#pragma omp declare target
static int of_thread(void) { return omp_get_thread_limit(); }
#pragma omp end declare target

int main(void) {
    int limit = 0, threads = 0, most = 0, max = 0;
#pragma omp target thread_limit(2) map(from : limit, threads)
    {
        limit = omp_get_thread_limit();
#pragma omp parallel
#pragma omp single
        threads = omp_get_num_threads();
    }
    CHECK_EQ(limit, 2);
    CHECK(threads >= 1 && threads <= 2, "%d threads", threads);
#pragma omp target teams num_teams(2) thread_limit(3) reduction(max : most, limit) map(tofrom : most, limit)
    {
        limit = of_thread();
        int mine = 0;
#pragma omp parallel
#pragma omp single
        mine = omp_get_num_threads();
        if (mine > most) most = mine;
    }
    CHECK_EQ(limit, 3);
    CHECK(most >= 1 && most <= 3, "%d threads", most);
#pragma omp target map(from : max, threads)
    {
        omp_set_num_threads(2);
        max = omp_get_max_threads();
#pragma omp parallel
#pragma omp single
        threads = omp_get_num_threads();
    }
    CHECK_EQ(max, 2);
    CHECK(threads == 1 || threads == 2, "%d threads", threads);
    return verdict();
}
