// Explicit tasks, critical sections and nested parallel regions in the parallel regions of a league. OpenMP 5.1, 2.7, 2.12
#include "check.h"

static int fibonacci(int n) {
    int a, b;
    if (n < 2) return n;
#pragma omp task shared(a)
    a = fibonacci(n - 1);
    b = fibonacci(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void) {
    int teams = 0, sum = 0, in_critical = 0;
    omp_set_max_active_levels(3);
#pragma omp teams num_teams(3) reduction(+ : teams, sum) shared(in_critical)
    {
        int result = 0;
        teams++;
#pragma omp parallel shared(result)
        {
#pragma omp single
            result = fibonacci(12);
#pragma omp parallel num_threads(2)
            {
#pragma omp critical
                in_critical++;
            }
        }
        sum += result;
    }
    CHECK_EQ(sum, 144 * teams);
    CHECK(in_critical >= teams, "%d", in_critical);
    return verdict();
}
