// Each implicit task starts with the ICVs of the task that encountered the region; what one sets, no other sees.
// OpenMP 5.1, 2.4.3
#include "check.h"

int main(void) {
    omp_set_dynamic(0);
    omp_set_max_active_levels(3);
    omp_set_num_threads(3);
    for (int round = 0; round < 20; round++) {
#pragma omp parallel num_threads(4)
        {
            int me = omp_get_thread_num();
            CHECK_EQ(omp_get_max_threads(), 3);
            CHECK_EQ(omp_get_max_active_levels(), 3);
            omp_set_num_threads(me + 10);
            omp_set_max_active_levels(me + 2);
            omp_set_dynamic(me & 1);
            omp_set_default_device(me);
#pragma omp barrier
            CHECK_EQ(omp_get_max_threads(), me + 10);
            CHECK_EQ(omp_get_max_active_levels(), me + 2);
            CHECK_EQ(omp_get_dynamic(), me & 1);
            CHECK_EQ(omp_get_default_device(), me);
            omp_set_dynamic(0);
            omp_set_num_threads(2);
#pragma omp parallel
            {
                CHECK_EQ(omp_get_max_active_levels(), me + 2);
                CHECK_EQ(omp_get_default_device(), me);
                omp_set_default_device(50);
            }
            CHECK_EQ(omp_get_default_device(), me);
        }
        CHECK_EQ(omp_get_max_threads(), 3);
        CHECK_EQ(omp_get_max_active_levels(), 3);
        CHECK_EQ(omp_get_dynamic(), 0);
        CHECK_EQ(omp_get_default_device(), 0);
    }
    return verdict();
}
