// A taskloop's reduction, and a taskloop that takes part in the reduction of a taskgroup around it; also over no iterations at all.
// OpenMP 5.1, 2.12.2 (taskloop), 2.21.5.4, 2.21.5.6
#include "check.h"

int main(void) {
    enum { N = 1000 };
    long sum = 10, part = 0, none = 42, product = 1;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskloop reduction(+ : sum) grainsize(7)
        for (int i = 0; i < N; i++) sum += i;
        CHECK_EQ(sum, 10 + N * (N - 1) / 2);

#pragma omp taskgroup task_reduction(+ : part)
        {
#pragma omp taskloop in_reduction(+ : part) num_tasks(13)
            for (int i = 0; i < N; i++) part += 2;
#pragma omp task in_reduction(+ : part)
            part += 1;
        }
        CHECK_EQ(part, 2 * N + 1);

        int nothing = corpus_failures & 0;
#pragma omp taskloop reduction(+ : none)
        for (int i = 0; i < nothing; i++) none += i;
        CHECK_EQ(none, 42);

#pragma omp taskloop reduction(* : product) if (0)
        for (int i = 0; i < 20; i++) product *= 2;
        CHECK_EQ(product, 1 << 20);
    }
    return verdict();
}
