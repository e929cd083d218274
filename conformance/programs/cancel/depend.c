// Tasks with dependences in a cancelled taskgroup: those that wait for a discarded one are released, and discarded.
// OpenMP 5.1, 2.20.1, 2.19.11
//@ env: OMP_CANCELLATION=true
#include "check.h"

int main(void) {
    for (int round = 0; round < 30; round++) {
        int chain = 0, begun = 0, after = 0;
#pragma omp parallel shared(chain, begun, after)
#pragma omp single
        {
#pragma omp taskgroup
            for (int i = 0; i < 30; i++) {
#pragma omp task depend(inout : chain) firstprivate(i)
                {
                    CHECK_EQ(chain, i);
                    chain++;
                    __atomic_fetch_add(&begun, 1, __ATOMIC_RELAXED);
                    if (i == 7) {
#pragma omp cancel taskgroup
                    }
                }
            }
#pragma omp task depend(inout : chain)
            after = 1;
#pragma omp taskwait
        }
        CHECK_EQ(begun, 8);
        CHECK_EQ(after, 1);
    }
    return verdict();
}
