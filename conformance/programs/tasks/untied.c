// Untied tasks: a generator that is untied, recursion of untied tasks with taskwait and taskyield, and all results right
// whichever thread resumes them. OpenMP 5.1, 2.12.1 (untied clause)
#include "check.h"

static int fib(int n) {
    int a = 0, b = 0;
    if (n < 2) return n;
#pragma omp task untied shared(a)
    {
#pragma omp taskyield
        a = fib(n - 1);
    }
#pragma omp task untied shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void) {
    int result = 0, ran = 0, after = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task untied shared(result)
        result = fib(14);
#pragma omp task untied shared(ran, after)
        {
            for (int i = 0; i < 2000; i++) {
#pragma omp task shared(ran)
                {
#pragma omp atomic
                    ran++;
                }
            }
#pragma omp taskwait
            after = ran;
        }
    }
    CHECK_EQ(result, 377);
    CHECK_EQ(ran, 2000);
    CHECK_EQ(after, 2000);
    return verdict();
}
