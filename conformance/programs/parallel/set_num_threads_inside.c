// omp_set_num_threads inside a region is the calling task's own: it sizes that thread's nested regions and nothing else.
// OpenMP 5.1, 2.4.2 (ICV scopes), 3.2.1
//@ threads: 1 2 3 8
#include "check.h"

int main(void) {
    int want = omp_get_max_threads();
    omp_set_max_active_levels(2);
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        {
            int mine = 1 + omp_get_thread_num() % 3, count = 0;
            omp_set_num_threads(mine);
            CHECK_EQ(omp_get_max_threads(), mine);
            CHECK_EQ(omp_get_num_threads(), want);
#pragma omp parallel reduction(+ : count)
            {
                count++;
                CHECK_EQ(omp_get_max_threads(), mine);
            }
            CHECK_EQ(count, mine);
        }
        CHECK_EQ(omp_get_max_threads(), want);
    }
    omp_set_num_threads(4);
    int count = 0;
#pragma omp parallel reduction(+ : count)
    {
        count++;
        CHECK_EQ(omp_get_max_threads(), 4);
    }
    CHECK_EQ(count, 4);
    return verdict();
}
