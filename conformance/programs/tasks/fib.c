// Fibonacci by tasks and taskwait, without a cutoff: deep recursion, many small tasks, results through shared variables.
// OpenMP 5.1, 2.12.1 (task construct), 2.19.5 (taskwait)
#include "check.h"

static int fib(int n) {
    int a, b;
    if (n < 2) return n;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void) {
    int result = 0;
#pragma omp parallel
#pragma omp single
    result = fib(17);
    CHECK_EQ(result, 1597);
    return verdict();
}
