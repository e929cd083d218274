// KMP_ENABLE_TASK_THROTTLING=0: a thread that generates tasks executes none of them before it comes to a scheduling point of its own
// choice, however many it has queued. A team of one queues none.
//@ env: KMP_ENABLE_TASK_THROTTLING=0
//@ stock-fails: gcc because it has no such variable
//@ needs: gcc 12
#include "check.h"

int main(void) {
    int generated = 0, early = 0, ran = 0, alone = 0;
#pragma omp parallel
#pragma omp masked
    {
        int me = omp_get_thread_num();
        alone = omp_get_num_threads() == 1;
        for (int i = 0; i < 3000; i++) {
#pragma omp atomic
            generated++;
#pragma omp task shared(generated, early, ran) firstprivate(me)
            {
                int so_far;
#pragma omp atomic read
                so_far = generated;
                if (omp_get_thread_num() == me && so_far < 3000) {
#pragma omp atomic
                    early++;
                }
#pragma omp atomic
                ran++;
            }
        }
    }
    CHECK(alone || early == 0, "%d tasks ran early", early);
    CHECK_EQ(ran, 3000);
    return verdict();
}
