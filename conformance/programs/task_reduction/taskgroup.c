// The tasks of a taskgroup contribute to its reductions, whichever thread executes them: several list items, operators and types, and
// values that the items had before. OpenMP 5.1, 2.21.5.5 (task_reduction clause), 2.21.5.6 (in_reduction clause)
#include "check.h"

int main(void) {
    enum { TASKS = 60 };
    for (int round = 0; round < 5; round++) {
        int sum = 5, bits = 0, every = 1, most = -1000, least = 1000;
        long product = 3;
        double real = 0.5;
#pragma omp parallel
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : sum, real) task_reduction(* : product) task_reduction(| : bits) task_reduction(&& : every) \
    task_reduction(max : most) task_reduction(min : least)
            {
                for (int i = 1; i <= TASKS; i++) {
#pragma omp task in_reduction(+ : sum, real)
                    {
                        sum += i;
                        real += 0.25;
                    }
#pragma omp task in_reduction(* : product) in_reduction(| : bits)
                    {
                        if (i % 10 == 0) product *= 2;
                        bits |= 1 << (i % 20);
                    }
#pragma omp task in_reduction(&& : every) in_reduction(max : most) in_reduction(min : least)
                    {
                        every = every && i > 0;
                        if (i > most) most = i;
                        if (-i < least) least = -i;
                    }
                }
            }
            CHECK_EQ(sum, 5 + TASKS * (TASKS + 1) / 2);
            CHECK(real == 0.5 + TASKS * 0.25, "real is %f", real);
        }
        CHECK_EQ(product, 3 * 64);
        CHECK_EQ(bits, (1 << 20) - 1);
        CHECK_EQ(every, 1);
        CHECK_EQ(most, TASKS);
        CHECK_EQ(least, -TASKS);
    }
    return verdict();
}
