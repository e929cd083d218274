// An explicit task starts with the ICVs of the task that generates it, and keeps what it sets to itself.
// OpenMP 5.1, 2.4.4
#include "check.h"

int main(void) {
    omp_set_num_threads(5);
    omp_set_schedule(omp_sched_guided, 7);
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        {
            omp_set_num_threads(6);
            for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
                {
                    CHECK_EQ(omp_get_max_threads(), 6);
                    omp_set_num_threads(10 + i);
                    omp_set_schedule(omp_sched_dynamic, 1 + i);
#pragma omp task firstprivate(i)
                    {
                        omp_sched_t kind;
                        int chunk;
                        omp_get_schedule(&kind, &chunk);
                        CHECK_EQ(omp_get_max_threads(), 10 + i);
                        CHECK_EQ(kind, omp_sched_dynamic);
                        CHECK_EQ(chunk, 1 + i);
                        omp_set_num_threads(99);
                    }
#pragma omp taskwait
                    CHECK_EQ(omp_get_max_threads(), 10 + i);
                }
            }
#pragma omp taskwait
            CHECK_EQ(omp_get_max_threads(), 6);
        }
    }
    CHECK_EQ(omp_get_max_threads(), 5);
    return verdict();
}
