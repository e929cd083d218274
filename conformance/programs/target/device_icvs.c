// ICVs on devices come from the variables that name devices, each target region starts with them anew, and the host has its own.
// OpenMP 5.1, 2.4.2, 6.2, 6.1
//@ compilers: offload
//@ devices: 1 3
//@ env: OMP_NUM_THREADS=2
//@ env: OMP_NUM_THREADS_DEV=5,2
//@ env: OMP_NUM_THREADS_DEV_0=4
//@ env: OMP_SCHEDULE_DEV=guided,7
//@ env: OMP_DYNAMIC_ALL=true
//@ stock-fails: offload because it does not know the variables
#include "device.h"

int main(void) {
    CHECK_EQ(omp_get_max_threads(), 2);
    CHECK_EQ(omp_get_dynamic(), 1);
    for (int d = 0; d < omp_get_num_devices(); d++) {
        for (int time = 0; time < 2; time++) {
            int threads = 0, dynamic = 0, kind = 0, chunk = 0, changed = 0;
#pragma omp target device(d) map(tofrom : threads, dynamic, kind, chunk, changed)
            {
                omp_sched_t schedule;
                omp_get_schedule(&schedule, &chunk);
                kind = (int)schedule & 0x7fffffff;
                threads = omp_get_max_threads();
                dynamic = omp_get_dynamic();
                omp_set_num_threads(7);
                changed = omp_get_max_threads();
            }
            CHECK_EQ(threads, d == 0 ? 4 : 5);
            CHECK_EQ(dynamic, 1);
            CHECK_EQ(kind, omp_sched_guided);
            CHECK_EQ(chunk, 7);
            CHECK_EQ(changed, 7);
        }
    }
    CHECK_EQ(omp_get_max_threads(), 2);
    return verdict();
}
