// Internal control variables in target regions: set there, they stay there, and do not reach the host. OpenMP 5.1, 2.4
//@ devices: 1 3
//@ stock-fails: offload because its devices share the variables of the host
#include "device.h"

int main(void) {
    int host_threads = omp_get_max_threads(), host_levels = omp_get_max_active_levels(), got[8] = {0};
    omp_sched_t host_kind, kind;
    int host_chunk, chunk;
    omp_get_schedule(&host_kind, &host_chunk);
#pragma omp target map(tofrom : got)
    {
        omp_set_num_threads(3);
        omp_set_max_active_levels(2);
        omp_set_schedule(omp_sched_dynamic, 7);
        omp_set_dynamic(1);
        got[0] = omp_get_max_threads();
        got[1] = omp_get_max_active_levels();
        omp_sched_t mine;
        omp_get_schedule(&mine, &got[2]);
        got[3] = (int)mine;
        got[4] = omp_get_dynamic();
        omp_set_dynamic(0);
        got[5] = omp_in_parallel();
        got[6] = omp_get_level();
        got[7] = omp_get_thread_num();
    }
    CHECK_EQ(got[0], 3);
    CHECK_EQ(got[1], 2);
    CHECK_EQ(got[2], 7);
    CHECK_EQ(got[3], omp_sched_dynamic);
    CHECK_EQ(got[4], 1);
    CHECK_EQ(got[5] + got[6] + got[7], 0);
    if (separate()) {
        CHECK_EQ(omp_get_max_threads(), host_threads);
        CHECK_EQ(omp_get_max_active_levels(), host_levels);
        omp_get_schedule(&kind, &chunk);
        CHECK(kind == host_kind && chunk == host_chunk, "%d %d", (int)kind, chunk);
    }
    return verdict();
}
