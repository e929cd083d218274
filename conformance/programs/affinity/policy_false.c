// OMP_PROC_BIND=false: there are places, no thread is bound, and the proc_bind clause has no effect.
// OpenMP 5.1, 2.6.2, 6.4
//@ env: OMP_PLACES={0},{1}
//@ env: OMP_PROC_BIND=false
#include "bound.h"

int main(void) {
    cpu_set_t whole = own_mask();
    CHECK_EQ(omp_get_proc_bind(), omp_proc_bind_false);
#pragma omp parallel num_threads(4) proc_bind(close)
    {
        cpu_set_t own = own_mask();
        CHECK(CPU_EQUAL(&own, &whole), "thread %d is bound", omp_get_thread_num());
    }
    return verdict();
}
