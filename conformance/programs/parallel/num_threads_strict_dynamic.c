// Dynamic adjustment leaves a strict number of threads as it is, which the algorithm allows, and adjusts others. OpenMP 5.1, 2.6.1; 6.0,
// 12.1.1, 12.1.2
//@ compilers: clang
//@ needs: clang 19
//@ threads: 1 2
//@ stock-fails: clang because libomp adjusts strict numbers of threads
//@ env: OMP_DYNAMIC=true
#include "check.h"

void __kmpc_push_num_threads_strict(void *, int, int, int, const char *);
int __kmpc_global_thread_num(void *);

int main(void) {
    int asked = omp_get_num_procs() + 5, strict = 0, adjusted = 0;
    __kmpc_push_num_threads_strict(0, __kmpc_global_thread_num(0), asked, 2, "never said");
#pragma omp parallel reduction(+ : strict)
    strict++;
    CHECK_EQ(strict, asked);
#pragma omp parallel num_threads(asked) reduction(+ : adjusted)
    adjusted++;
    CHECK(adjusted >= 1 && adjusted <= asked, "%d threads", adjusted);
    return verdict();
}
