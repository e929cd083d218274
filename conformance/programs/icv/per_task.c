// Explicit tasks inherit the ICVs of the task that made them and change only their own copies.
// OpenMP 5.1, 2.4.2 (how ICVs work)
#include "check.h"

int main(void) {
    int want = omp_get_max_threads();
#pragma omp parallel
#pragma omp single
    {
        omp_set_num_threads(7);
        for (int i = 0; i < 20; i++) {
#pragma omp task firstprivate(i)
            {
                CHECK_EQ(omp_get_max_threads(), 7);
                omp_set_num_threads(10 + i);
                CHECK_EQ(omp_get_max_threads(), 10 + i);
#pragma omp task firstprivate(i)
                {
                    CHECK_EQ(omp_get_max_threads(), 10 + i);
                    omp_set_num_threads(2);
                }
#pragma omp taskwait
                CHECK_EQ(omp_get_max_threads(), 10 + i);
            }
        }
#pragma omp taskwait
        CHECK_EQ(omp_get_max_threads(), 7);
    }
    CHECK_EQ(omp_get_max_threads(), want);
    return verdict();
}
