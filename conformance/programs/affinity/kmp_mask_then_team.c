// A thread that has bound itself with kmp_set_affinity: the workers that its next regions create run on all processors.
//@ compilers: clang
//@ env: OMP_NUM_THREADS=4
#include "bound.h"

int main(void) {
    cpu_set_t whole = own_mask();
    int cpu = 0;
    while (!CPU_ISSET(cpu, &whole)) cpu++;
    kmp_affinity_mask_t mask;
    kmp_create_affinity_mask(&mask);
    kmp_set_affinity_mask_proc(cpu, &mask);
    CHECK_EQ(kmp_set_affinity(&mask), 0);
    kmp_destroy_affinity_mask(&mask);
#pragma omp parallel
    {
        cpu_set_t own = own_mask();
        CHECK_EQ(CPU_COUNT(&own), omp_get_thread_num() == 0 ? 1 : CPU_COUNT(&whole));
    }
    return verdict();
}
