// mergeable tasks, deferred, undeferred and included, give results that hold whether or not they are merged.
// OpenMP 5.1, 2.12.1 (mergeable clause)
#include "check.h"

int main(void) {
    int sum = 0;
#pragma omp parallel
#pragma omp single
    {
        for (int i = 1; i <= 60; i++) {
#pragma omp task mergeable shared(sum)
            {
#pragma omp atomic
                sum += i;
            }
#pragma omp task mergeable if (0) shared(sum)
            {
#pragma omp atomic
                sum += i;
            }
#pragma omp task mergeable final(i % 2) shared(sum)
            {
#pragma omp task mergeable shared(sum)
                {
#pragma omp atomic
                    sum += i;
                }
            }
        }
    }
    CHECK_EQ(sum, 3 * 1830);
    return verdict();
}
