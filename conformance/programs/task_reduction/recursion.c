// A task that takes part in a reduction generates tasks that do: in functions that
// know the list item by its name only.
// OpenMP 5.1, 2.21.5.6 (in_reduction clause)
#include "check.h"

static long total;

static void tree(int depth) {
#pragma omp task in_reduction(+ : total)
    {
        total += depth;
        if (depth > 0) {
            tree(depth - 1);
            tree(depth - 1);
        }
    }
}

static long expected(int depth) { return depth == 0 ? 0 : depth + 2 * expected(depth - 1); }

int main(void) {
    for (int round = 0; round < 3; round++) {
        total = 7;
#pragma omp parallel
#pragma omp single
        {
#pragma omp taskgroup task_reduction(+ : total)
            tree(7);
        }
        CHECK_EQ(total, 7 + expected(7));
    }
    return verdict();
}
