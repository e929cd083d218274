// The threadset clause (OpenMP 6.0, section 14.8): tasks of the pool may be executed by free agents, of which there are two.
//@ compilers: clang
//@ needs: clang 23
//@ flags: -fopenmp-version=60
//@ env: OMP_THREADS_RESERVE=structured(1),free_agent(2)
#include "check.h"

static int fib(int n) {
    int left, right;
    if (n < 2) return n;
#pragma omp task shared(left) threadset(omp_pool)
    left = fib(n - 1);
#pragma omp task shared(right) threadset(omp_team)
    right = fib(n - 2);
#pragma omp taskwait
    return left + right;
}

int main(void) {
    int sum = 0;
#pragma omp parallel
#pragma omp single
    {
        CHECK_EQ(fib(16), 987);
#pragma omp taskloop threadset(omp_pool) shared(sum)
        for (int i = 0; i < 1000; i++) {
#pragma omp atomic
            sum += i;
        }
    }
    CHECK_EQ(sum, 499500);
    return verdict();
}
