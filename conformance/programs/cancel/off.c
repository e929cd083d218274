// With cancel-var false, cancel and cancellation point change nothing. OpenMP 5.1, 2.20.1, 2.4
//@ env: OMP_CANCELLATION=false
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), parallel = 0, loop = 0, sections = 0, tasks = 0;
    CHECK_EQ(omp_get_cancellation(), 0);
#pragma omp parallel
    {
#pragma omp cancel parallel
#pragma omp atomic
        parallel++;
#pragma omp for
        for (int i = 0; i < 50; i++) {
#pragma omp cancel for
#pragma omp atomic
            loop++;
        }
#pragma omp sections
        {
#pragma omp section
            {
#pragma omp cancel sections
#pragma omp atomic
                sections++;
            }
#pragma omp section
            {
#pragma omp atomic
                sections++;
            }
        }
#pragma omp single
#pragma omp taskgroup
        for (int i = 0; i < 10; i++) {
#pragma omp task
            {
#pragma omp cancel taskgroup
#pragma omp atomic
                tasks++;
            }
        }
    }
    CHECK_EQ(parallel, threads);
    CHECK_EQ(loop, 50);
    CHECK_EQ(sections, 2);
    CHECK_EQ(tasks, 10);
    return verdict();
}
