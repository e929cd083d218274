// Undeferred, final and included tasks take part too, as do tasks in a region of one thread and outside of all regions.
// OpenMP 5.1, 2.21.5.6 (in_reduction clause), 2.12.1
#include "check.h"

static long all(void) {
    long sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
    {
        for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : sum) if (0)
            sum += 1;
#pragma omp task in_reduction(+ : sum) final(1)
            {
                sum += 10;
#pragma omp task in_reduction(+ : sum)
                sum += 100;
            }
#pragma omp task in_reduction(+ : sum) untied
            {
#pragma omp taskyield
                sum += 1000;
            }
#pragma omp task in_reduction(+ : sum) mergeable
            sum += 10000;
        }
    }
    return sum;
}

int main(void) {
    CHECK_EQ(all(), 111110);
#pragma omp parallel num_threads(1)
    CHECK_EQ(all(), 111110);
#pragma omp parallel
    {
#pragma omp single nowait
        CHECK_EQ(all(), 111110);
        CHECK_EQ(all(), 111110);
#pragma omp parallel if (0)
        CHECK_EQ(all(), 111110);
    }
    return verdict();
}
