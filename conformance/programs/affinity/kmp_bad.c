// A parameter that KMP_AFFINITY does not have is named and left out; the rest counts.
//@ env: KMP_AFFINITY=granularity=fine,compakt,scatter
//@ env: OMP_NUM_THREADS=3
//@ expect-stderr: KMP_AFFINITY 'compakt'
//@ stock-fails: gcc because libgomp does not know the variable
#include "bound.h"

int main(void) {
#pragma omp parallel
    {
        cpu_set_t own = own_mask();
        CHECK_EQ(CPU_COUNT(&own), 1);
    }
    return verdict();
}
