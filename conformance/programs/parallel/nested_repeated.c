// Nested teams of changing sizes, forked again and again by every thread of an outer team, with worksharing inside.
// OpenMP 5.1, 2.6
//@ threads: 1 2 3
#include "check.h"

int main(void) {
    int outer = omp_get_max_threads();
    long total = 0, want = 0;
    omp_set_max_active_levels(3);
    for (int round = 0; round < 12; round++) {
        int size = 1 + round % 4;
        want += (long)outer * (size + 20);
#pragma omp parallel reduction(+ : total)
        {
            long mine = 0;
#pragma omp parallel num_threads(size) reduction(+ : mine)
            {
                mine++;
#pragma omp for schedule(dynamic, 3)
                for (int i = 0; i < 20; i++) mine++;
            }
            CHECK_EQ(mine, size + 20);
            total += mine;
        }
    }
    CHECK_EQ(total, want);
    return verdict();
}
