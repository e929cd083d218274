// KMP_AFFINITY=granularity=fine,compact: each thread has a processor of its own, in the order of the machine.
//@ env: KMP_AFFINITY=granularity=fine,compact
//@ env: KMP_WARNINGS=0
//@ env: OMP_NUM_THREADS=4
//@ stock-fails: gcc because libgomp does not know the variable
#include "bound.h"

int main(void) {
    int procs = omp_get_num_procs(), at[4];
    CHECK_EQ(omp_get_num_places(), procs);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            cpu_set_t own = own_mask();
            CHECK_EQ(CPU_COUNT(&own), 1);
            at[omp_get_thread_num()] = omp_get_place_num();
        }
        for (int i = 1; i < 4; i++) CHECK_EQ(at[i], (at[0] + i) % procs);
    }
    return verdict();
}
