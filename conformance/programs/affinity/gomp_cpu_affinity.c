// GOMP_CPU_AFFINITY: threads go to its processors in order, also if some are left.
//@ env: GOMP_CPU_AFFINITY=1 0-1:1
//@ threads: 1 2 3
#include "bound.h"

int main(void) {
    static const int cpus[] = {1, 0, 1};
    for (int threads = 2; threads <= 3; threads++) {
#pragma omp parallel num_threads(threads)
        {
            cpu_set_t own = own_mask();
            CHECK_EQ(CPU_COUNT(&own), 1);
            CHECK(CPU_ISSET(cpus[omp_get_thread_num()], &own), "thread %d is elsewhere", omp_get_thread_num());
        }
    }
    return verdict();
}
