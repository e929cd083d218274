// All threads of a team have taskgroups with reductions of their own at the same time, in regions inside regions too. OpenMP 5.1, 2.21.5.5
#include "check.h"

static long count(int tasks) {
    long sum = 0;
#pragma omp taskgroup task_reduction(+ : sum)
    for (int i = 0; i < tasks; i++) {
#pragma omp task in_reduction(+ : sum)
        sum += i;
    }
    return sum;
}

int main(void) {
    omp_set_max_active_levels(2);
#pragma omp parallel
    for (int round = 0; round < 10; round++) CHECK_EQ(count(20), 190);
#pragma omp parallel num_threads(2)
    {
        long outer = 0;
#pragma omp taskgroup task_reduction(+ : outer)
        {
#pragma omp task in_reduction(+ : outer)
            {
                long inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
                inner += count(10);
                outer += inner;
            }
        }
        CHECK(outer == 90 || outer == 45, "outer is %ld", outer);
    }
    return verdict();
}
