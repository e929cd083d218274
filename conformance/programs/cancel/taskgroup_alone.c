// In a team of one thread, tasks that are generated before their taskgroup is cancelled are complete, and later ones are discarded.
// OpenMP 5.1, 2.20.1
//@ env: OMP_CANCELLATION=true
#include "check.h"

static int before, after, outside, nested;

static void body(void) {
    int x = 0;
    before = after = outside = nested = 0;
#pragma omp taskgroup
    {
        for (int i = 0; i < 5; i++) {
#pragma omp task depend(inout : x) shared(x)
            before++;
        }
#pragma omp taskwait
#pragma omp task depend(inout : x) shared(x)
        {
#pragma omp cancel taskgroup
            after++;
        }
#pragma omp taskwait
        for (int i = 0; i < 5; i++) {
#pragma omp task depend(inout : x) shared(x)
            after++;
#pragma omp task untied
            after++;
        }
#pragma omp taskloop num_tasks(2) nogroup
        for (int i = 0; i < 4; i++) after++;
    }
    // Another taskgroup is none of that.
#pragma omp taskgroup
    {
#pragma omp task depend(inout : x) shared(x)
        outside++;
    }
    // Nor is the one around.
#pragma omp taskgroup
    {
#pragma omp taskgroup
        {
#pragma omp task
            {
#pragma omp cancel taskgroup
            }
#pragma omp taskwait
#pragma omp task
            after++;
        }
#pragma omp task
        nested++;
    }
    CHECK_EQ(before, 5);
    CHECK_EQ(after, 0);
    CHECK_EQ(outside, 1);
    CHECK_EQ(nested, 1);
}

int main(void) {
#pragma omp parallel num_threads(1)
    body();
#pragma omp parallel
#pragma omp single
    {
#pragma omp parallel num_threads(1)
        body();
    }
    return verdict();
}
