// KMP_AFFINITY=verbose without a type: the machine is described, threads stay as they are.
//@ env: KMP_AFFINITY=verbose
//@ env: OMP_NUM_THREADS=2
//@ expect-stderr: KMP_AFFINITY socket core
//@ stderr-may-hold-more:
//@ stock-fails: gcc because libgomp does not know the variable
#include "bound.h"

int main(void) {
    cpu_set_t whole = own_mask();
#pragma omp parallel
    {
        cpu_set_t own = own_mask();
        CHECK(CPU_EQUAL(&own, &whole), "thread %d is bound", omp_get_thread_num());
    }
    return verdict();
}
