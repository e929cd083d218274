// kmp_set_defaults before anything else sets what the environment could have set: KMP_AFFINITY, for one.
//@ compilers: clang
//@ threads: 1 2 3
#include "bound.h"

int main(void) {
    kmp_set_defaults("KMP_AFFINITY=granularity=fine,compact|OMP_DYNAMIC=true");
    CHECK_EQ(omp_get_dynamic(), 1);
#pragma omp parallel
    {
        cpu_set_t own = own_mask();
        CHECK_EQ(CPU_COUNT(&own), 1);
    }
    return verdict();
}
