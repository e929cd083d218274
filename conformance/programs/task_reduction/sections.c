// reduction with the task modifier on sections, alone and combined with parallel. OpenMP 5.1, 2.21.5.4 (reduction clause)
#include "check.h"

#define PART(sum, what)                    \
    for (int i = 0; i < 10; i++) {         \
        OMP(task in_reduction(+ : sum))    \
        sum += what;                       \
    }

int main(void) {
    int total = 1;
#pragma omp parallel
    {
        for (int round = 0; round < 4; round++) {
#pragma omp sections reduction(task, + : total)
            {
                {
                    PART(total, 1)
                }
#pragma omp section
                {
                    PART(total, 10)
                }
#pragma omp section
                {
                    total += 5;
                    PART(total, 100)
                }
            }
        }
    }
    CHECK_EQ(total, 1 + 4 * (1110 + 5));
    int more = 0;
#pragma omp parallel sections reduction(task, + : more)
    {
        {
            PART(more, 2)
        }
#pragma omp section
        {
            PART(more, 3)
        }
    }
    CHECK_EQ(more, 50);
    return verdict();
}
