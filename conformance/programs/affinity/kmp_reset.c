// KMP_AFFINITY=reset: the primary thread gets its mask back after each outermost region.
//@ env: KMP_AFFINITY=reset,granularity=fine,compact
//@ env: OMP_NUM_THREADS=2
//@ stock-fails: gcc because libgomp does not know the variable
#include "bound.h"

int main(void) {
    cpu_set_t whole = own_mask();
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            cpu_set_t own = own_mask();
            CHECK_EQ(CPU_COUNT(&own), 1);
        }
        cpu_set_t own = own_mask();
        CHECK(CPU_EQUAL(&own, &whole), "the primary thread is still bound");
    }
    return verdict();
}
