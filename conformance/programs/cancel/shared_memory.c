// Loops whose threads share memory of the runtime's (gcc's inscan reductions), many of them ahead of a thread that has
// cancelled the region and comes to none of them. OpenMP 5.1, 2.20.1 and 2.11.8
//@ env: OMP_CANCELLATION=true
//@ compilers: gcc
//@ stock-fails: gcc because libgomp waits for the thread that has gone to the end
//@ needs: gcc 10
#include "check.h"

enum { N = 60 };

static int values[N], sums[N], sum;

int main(void) {
    for (int round = 0; round < 10; round++) {
#pragma omp parallel num_threads(3)
        {
            if (omp_get_thread_num() == 0) {
#pragma omp cancel parallel
            }
            for (int loop = 0; loop < 30; loop++) {
#pragma omp for reduction(inscan, + : sum) nowait
                for (int i = 0; i < N; i++) {
                    sum += values[i];
#pragma omp scan inclusive(sum)
                    sums[i] = sum;
                }
            }
        }
    }
    CHECK_EQ(sum, 0);
    return verdict();
}
