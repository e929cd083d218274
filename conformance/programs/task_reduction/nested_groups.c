// A taskgroup inside another one has reductions of its own; tasks take part in those of both. The inner ones are complete when the inner
// region ends, and count for the outer ones. OpenMP 5.1, 2.21.5.5, 2.19.6 (taskgroup)
#include "check.h"

int main(void) {
    enum { OUTER = 8, INNER = 10 };
    int all = 0, inner_sums = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp taskgroup task_reduction(+ : all, inner_sums)
        for (int i = 0; i < OUTER; i++) {
#pragma omp task in_reduction(+ : all, inner_sums)
            {
                int own = 100;
#pragma omp taskgroup task_reduction(+ : own)
                for (int j = 0; j < INNER; j++) {
#pragma omp task in_reduction(+ : own) in_reduction(+ : all)
                    {
                        own += j;
                        all += 1;
                    }
                }
                CHECK_EQ(own, 100 + INNER * (INNER - 1) / 2);
                inner_sums += own;
            }
        }
    }
    CHECK_EQ(all, OUTER * INNER);
    CHECK_EQ(inner_sums, OUTER * (100 + INNER * (INNER - 1) / 2));
    return verdict();
}
