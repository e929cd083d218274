// Tasks that open regions, regions that create tasks inside tasks, and a taskwait after an inner region: each team completes
// its own. OpenMP 5.1, 2.12, 2.6
//@ threads: 1 2 3
#include "check.h"

int main(void) {
    int inner_tasks = 0, regions = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 12; i++) {
#pragma omp task shared(inner_tasks, regions)
        {
            int own = 0, me = omp_get_thread_num();
#pragma omp parallel num_threads(2) shared(own)
            {
#pragma omp for
                for (int k = 0; k < 6; k++) {
#pragma omp task shared(own)
                    {
                        CHECK_EQ(omp_get_num_threads(), 2);
#pragma omp atomic
                        own++;
                    }
                }
                CHECK_EQ(own, 6);
            }
            CHECK_EQ(own, 6);
            CHECK_EQ(omp_get_thread_num(), me);
#pragma omp atomic
            inner_tasks += own;
#pragma omp atomic
            regions++;
        }
    }
    CHECK_EQ(inner_tasks, 72);
    CHECK_EQ(regions, 12);
    return verdict();
}
