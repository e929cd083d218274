// cancel taskgroup in a task of a worksharing loop with a task reduction: it is the taskgroup around the loop that is cancelled, not the
// group that the reduction brings along. The loop's own iterations are all executed and reduced. OpenMP 5.1, 2.20.1, 2.21.5
//@ env: OMP_CANCELLATION=true
//@ stock-fails: clang because its libomp cancels the reduction's group
#include "check.h"

enum { N = 60 };

int main(void) {
    int iterations = 0, before = 0, after = 0, inside = 0, threads = omp_get_max_threads();
#pragma omp parallel num_threads(threads)
#pragma omp taskgroup
    {
#pragma omp task if (0)
        {
#pragma omp atomic
            before++;
        }
#pragma omp for reduction(task, + : iterations)
        for (int i = 0; i < N; i++) {
            iterations++;
#pragma omp task in_reduction(+ : iterations)
            {
                iterations += 0;
#pragma omp atomic
                inside++;
#pragma omp cancel taskgroup
                CHECK(0, "a cancelled task goes on");
            }
        }
        // Every thread that has generated tasks has cancelled its taskgroup, since those are complete.
#pragma omp task
        {
#pragma omp cancellation point taskgroup
#pragma omp atomic
            after++;
        }
    }
    CHECK_EQ(iterations, N);
    CHECK_EQ(before, threads);
    CHECK(inside >= 1 && inside <= N, "%d tasks", inside);
    CHECK(after < threads || threads > N, "%d of %d tasks behind the loop", after, threads);
    return verdict();
}
