// Cancellation points of every kind without anybody who cancels: nothing happens. OpenMP 5.1, 2.20.2
//@ env: OMP_CANCELLATION=true
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), parallel = 0, loop = 0, sections = 0, tasks = 0;
    CHECK_EQ(omp_get_cancellation(), 1);
    for (int round = 0; round < 5; round++) {
#pragma omp parallel
        {
#pragma omp cancellation point parallel
#pragma omp atomic
            parallel++;
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 50; i++) {
#pragma omp cancellation point for
#pragma omp atomic
                loop++;
            }
#pragma omp sections
            {
#pragma omp section
                {
#pragma omp cancellation point sections
#pragma omp atomic
                    sections++;
                }
#pragma omp section
                {
#pragma omp cancellation point sections
#pragma omp atomic
                    sections++;
                }
            }
#pragma omp single
#pragma omp taskgroup
            for (int i = 0; i < 10; i++) {
#pragma omp task
                {
#pragma omp cancellation point taskgroup
#pragma omp atomic
                    tasks++;
                }
            }
        }
    }
    CHECK_EQ(parallel, 5 * threads);
    CHECK_EQ(loop, 250);
    CHECK_EQ(sections, 10);
    CHECK_EQ(tasks, 50);
    return verdict();
}
