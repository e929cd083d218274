// The thread_limit clause of target: it holds in the region and nowhere else. OpenMP 5.1, 2.14.5
//@ compilers: gcc
//@ threads: 4
//@ needs: gcc 12
#include "check.h"

int main(void) {
    int before = omp_get_thread_limit(), limit = 0, threads = 0, computed = 2;
#pragma omp target thread_limit(2) map(from : limit, threads)
    {
        limit = omp_get_thread_limit();
#pragma omp parallel num_threads(8)
#pragma omp single
        threads = omp_get_num_threads();
    }
    CHECK_EQ(limit, 2);
    CHECK(threads <= 2, "%d threads", threads);
#pragma omp target thread_limit(computed + 1) map(from : limit)
    limit = omp_get_thread_limit();
    CHECK_EQ(limit, 3);
#pragma omp target map(from : limit)
    limit = omp_get_thread_limit();
    CHECK_EQ(limit, before);
    CHECK_EQ(omp_get_thread_limit(), before);
    return verdict();
}
