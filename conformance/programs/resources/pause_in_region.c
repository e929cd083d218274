// Inside a region a pause is refused, and the region goes on.
// OpenMP 5.1, 3.6.1, restrictions
//@ stock-fails: clang because it accepts the pause
#include "check.h"

int main(void) {
    int done = 0;
#pragma omp parallel reduction(+ : done)
    {
        CHECK(omp_pause_resource(omp_pause_soft, omp_get_initial_device()) != 0, "accepted");
        CHECK(omp_pause_resource_all(omp_pause_hard) != 0, "accepted");
#pragma omp barrier
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task
            CHECK(omp_pause_resource_all(omp_pause_soft) != 0, "accepted");
        }
        done++;
    }
    CHECK_EQ(done, omp_get_max_threads());
    return verdict();
}
