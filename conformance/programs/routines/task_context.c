// omp_in_final and omp_in_explicit_task tell what the current task is.
// OpenMP 5.1, 3.5.2, 3.5.3
//@ compilers: clang
#include "check.h"

int omp_in_explicit_task(void);

int main(void) {
    CHECK_EQ(omp_in_final(), 0);
    CHECK_EQ(omp_in_explicit_task(), 0);
#pragma omp parallel
    {
        CHECK_EQ(omp_in_explicit_task(), 0);
#pragma omp single
        {
#pragma omp task
            {
                CHECK_EQ(omp_in_explicit_task(), 1);
                CHECK_EQ(omp_in_final(), 0);
#pragma omp parallel num_threads(2)
                CHECK_EQ(omp_in_explicit_task(), 0);
                CHECK_EQ(omp_in_explicit_task(), 1);
            }
#pragma omp task final(1)
            {
                CHECK_EQ(omp_in_final(), 1);
#pragma omp task
                {
                    CHECK_EQ(omp_in_final(), 1);
                    CHECK_EQ(omp_in_explicit_task(), 1);
                }
            }
#pragma omp task if (0)
            {
                CHECK_EQ(omp_in_explicit_task(), 1);
                CHECK_EQ(omp_in_final(), 0);
            }
        }
        CHECK_EQ(omp_in_explicit_task(), 0);
        CHECK_EQ(omp_in_final(), 0);
    }
    return verdict();
}
