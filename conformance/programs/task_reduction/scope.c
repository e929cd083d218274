// reduction with the task modifier on a scope construct. OpenMP 5.1, 2.9 (scope), 2.21.5.4 (reduction clause)
//@ compilers: gcc
//@ needs: gcc 12
#include "check.h"

int main(void) {
    int sum = 0, threads = 0;
#pragma omp parallel reduction(+ : threads)
    {
        threads++;
        for (int round = 0; round < 5; round++) {
#pragma omp scope reduction(task, + : sum)
            {
                sum += 1;
#pragma omp task in_reduction(+ : sum)
                sum += 10;
            }
        }
    }
    CHECK_EQ(sum, 5 * 11 * threads);
    return verdict();
}
