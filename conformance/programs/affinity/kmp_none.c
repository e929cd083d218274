// KMP_AFFINITY=none stands above OMP_PROC_BIND: threads are not bound, and a line says so.
//@ env: KMP_AFFINITY=none
//@ env: OMP_PROC_BIND=close
//@ threads: 1 3
//@ expect-stderr: OMP_PROC_BIND KMP_AFFINITY
//@ stock-fails: gcc because libgomp does not know the variable
#include "bound.h"

int main(void) {
    cpu_set_t whole = own_mask();
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_false);
#pragma omp parallel
    {
        cpu_set_t own = own_mask();
        CHECK(CPU_EQUAL(&own, &whole), "thread %d is bound", omp_get_thread_num());
    }
    return verdict();
}
