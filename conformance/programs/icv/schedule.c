// omp_set_schedule and omp_get_schedule: each kind and chunk comes back, a chunk below one means the default, and a task's
// setting is its own. OpenMP 5.1, 3.2.11, 3.2.12, 2.4
#include "check.h"

int main(void) {
    static const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic, omp_sched_guided};
    omp_sched_t kind;
    int chunk;
    for (int k = 0; k < 3; k++) {
        for (int c = 1; c < 200; c += 37) {
            omp_set_schedule(kinds[k], c);
            omp_get_schedule(&kind, &chunk);
            CHECK_EQ((unsigned)kind & 0x7fffffff, kinds[k]);
            CHECK_EQ(chunk, c);
        }
    }
    omp_set_schedule(omp_sched_auto, 5);
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ((unsigned)kind & 0x7fffffff, omp_sched_auto);
    omp_set_schedule(omp_sched_dynamic, 0);
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ((unsigned)kind & 0x7fffffff, omp_sched_dynamic);
    CHECK(chunk <= 1, "%d", chunk);

    omp_set_schedule(omp_sched_guided, 9);
#pragma omp parallel
    {
        omp_sched_t own;
        int size, me = omp_get_thread_num();
        omp_get_schedule(&own, &size);
        CHECK_EQ((unsigned)own & 0x7fffffff, omp_sched_guided);
        CHECK_EQ(size, 9);
        omp_set_schedule(omp_sched_static, me + 1);
#pragma omp barrier
        omp_get_schedule(&own, &size);
        CHECK_EQ((unsigned)own & 0x7fffffff, omp_sched_static);
        CHECK_EQ(size, me + 1);
    }
    omp_get_schedule(&kind, &chunk);
    CHECK_EQ((unsigned)kind & 0x7fffffff, omp_sched_guided);
    CHECK_EQ(chunk, 9);
    return verdict();
}
