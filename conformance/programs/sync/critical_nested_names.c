// Criticals of different names nest, also inside loops, tasks and nested regions, without blocking one another.
// OpenMP 5.1, 2.19.1
//@ threads: 1 2 3 8
#include "check.h"

int main(void) {
    int a = 0, b = 0, c = 0, threads = omp_get_max_threads();
    omp_set_max_active_levels(2);
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
        for (int i = 0; i < 60; i++) {
#pragma omp critical(outer)
            {
                a++;
#pragma omp critical(inner)
                b++;
            }
        }
#pragma omp single
        for (int i = 0; i < 40; i++) {
#pragma omp task
            {
#pragma omp critical(inner)
                b++;
            }
        }
#pragma omp parallel num_threads(2)
        {
#pragma omp critical
            c++;
        }
    }
    CHECK_EQ(a, 60);
    CHECK_EQ(b, 100);
    CHECK_EQ(c, 2 * threads);
    return verdict();
}
