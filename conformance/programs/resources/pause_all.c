// omp_pause_resource_all pauses the host too; kinds and devices that do not exist are refused.
// OpenMP 5.1, 3.6.1, 3.6.2
//@ stock-fails: gcc because it accepts kinds that do not exist
#include "check.h"

int main(void) {
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, omp_get_max_threads());
    CHECK_EQ(omp_pause_resource_all(omp_pause_soft), 0);
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 2 * omp_get_max_threads());
    CHECK(omp_pause_resource((omp_pause_resource_t)7, omp_get_initial_device()) != 0, "accepted");
    CHECK(omp_pause_resource_all((omp_pause_resource_t)77) != 0, "accepted");
    CHECK(omp_pause_resource(omp_pause_hard, 12) != 0, "accepted");
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 3 * omp_get_max_threads());
    return verdict();
}
