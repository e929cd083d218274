// KMP_HOT_TEAMS_MAX_LEVEL=0: teams that are nested deeper are given up at the end of their regions.
//@ env: KMP_HOT_TEAMS_MAX_LEVEL=0
#include "check.h"

int main(void) {
    omp_set_max_active_levels(3);
    for (int round = 0; round < 10; round++) {
        int size = 0;
#pragma omp parallel num_threads(3) reduction(+ : size)
#pragma omp parallel num_threads(2) reduction(+ : size)
        {
            size++;
#pragma omp task
            spin_work(10);
        }
        CHECK_EQ(size, 6);
    }
    return verdict();
}
