// A region of one thread has implicit tasks of its own: what is set inside is gone behind it.
// OpenMP 5.1, 2.4.4
#include "check.h"

int main(void) {
    omp_set_num_threads(6);
    omp_set_schedule(omp_sched_static, 4);
#pragma omp parallel if (0)
    {
        CHECK_EQ(omp_get_max_threads(), 6);
        CHECK_EQ(omp_get_level(), 1);
        CHECK_EQ(omp_get_active_level(), 0);
        omp_set_num_threads(2);
        omp_set_schedule(omp_sched_dynamic, 9);
#pragma omp parallel if (0)
        {
            CHECK_EQ(omp_get_max_threads(), 2);
            omp_set_num_threads(1);
        }
        CHECK_EQ(omp_get_max_threads(), 2);
    }
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ(omp_get_max_threads(), 6);
    CHECK_EQ(kind & 0xff, omp_sched_static);
    CHECK_EQ(chunk, 4);
    return verdict();
}
