// KMP_AFFINITY with a list of processors: threads go to them in order, around and around.
//@ env: KMP_AFFINITY=granularity=fine,proclist=[1,{0,1},0],explicit
//@ env: OMP_NUM_THREADS=5
//@ stock-fails: gcc because libgomp does not know the variable
#include "bound.h"

int main(void) {
    static const int masks[] = {2, 3, 1, 2, 3};
#pragma omp parallel
    {
        cpu_set_t own = own_mask();
        CHECK_EQ((CPU_ISSET(0, &own) ? 1 : 0) + (CPU_ISSET(1, &own) ? 2 : 0), masks[omp_get_thread_num()]);
    }
    return verdict();
}
