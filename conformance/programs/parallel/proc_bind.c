// The proc_bind clause in every spelling is accepted and changes neither team size nor results, without and with places.
// OpenMP 5.1, 2.6.2 (controlling thread affinity)
//@ threads: 1 2 3 8
#include "check.h"

int main(void) {
    int want = omp_get_max_threads(), count = 0;
    for (int round = 0; round < 5; round++) {
#pragma omp parallel proc_bind(close) reduction(+ : count)
        count++;
#pragma omp parallel proc_bind(spread) reduction(+ : count)
        count++;
#pragma omp parallel proc_bind(master) reduction(+ : count)
        count++;
#pragma omp parallel for proc_bind(spread) schedule(dynamic) num_threads(3) reduction(+ : count)
        for (int i = 0; i < 10; i++) count++;
    }
    CHECK_EQ(count, 5 * (3 * want + 10));
    return verdict();
}
