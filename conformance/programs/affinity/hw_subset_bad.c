// A KMP_HW_SUBSET that the machine does not have is named; the whole machine is used.
//@ env: KMP_HW_SUBSET=900s
//@ threads: 1 3
//@ expect-stderr: KMP_HW_SUBSET
//@ stock-fails: gcc because libgomp does not know the variable
#include "bound.h"

int main(void) {
    cpu_set_t whole = own_mask();
    CHECK(CPU_COUNT(&whole) >= omp_get_num_procs(), "%d", omp_get_num_procs());
#pragma omp parallel
    {
        cpu_set_t own = own_mask();
        CHECK(CPU_EQUAL(&own, &whole), "thread %d is bound", omp_get_thread_num());
    }
    return verdict();
}
