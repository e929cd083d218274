// KMP_HW_SUBSET keeps the program to a part of the machine: number of processors, of threads, and where they run.
//@ env: KMP_HW_SUBSET=1s,1c,1t
//@ env: OMP_DYNAMIC=false
//@ threads: 1 3
//@ stock-fails: gcc because libgomp does not know the variable
#include "bound.h"

int main(void) {
    CHECK_EQ(omp_get_num_procs(), 1);
#pragma omp parallel
    {
        cpu_set_t own = own_mask();
        CHECK_EQ(CPU_COUNT(&own), 1);
    }
    return verdict();
}
