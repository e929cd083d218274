// A thread that has bound itself forks a region where threads are not bound by the runtime: the runtime does not move it.
//@ threads: 2 3
#include "bound.h"

int main(void) {
    cpu_set_t one, whole = own_mask();
    int cpu = 0;
    while (!CPU_ISSET(cpu, &whole)) cpu++;
#pragma omp parallel
    CHECK(omp_get_num_threads() >= 1, "a region");
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            cpu_set_t own = own_mask();
            int expected = omp_get_thread_num() == 0 ? 1 : CPU_COUNT(&whole);
            CHECK_EQ(CPU_COUNT(&own), expected);
        }
    }
    return verdict();
}
