// Returning from main right after a region, with idle workers of two team sizes and of nested teams around, ends at once.
// OpenMP 5.1, 2.6
#include "check.h"

int main(void) {
    int n = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(4)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp atomic
            n++;
        }
    }
#pragma omp parallel reduction(+ : n)
    n++;
    CHECK_EQ(n, 8 + omp_get_max_threads());
    return verdict();
}
