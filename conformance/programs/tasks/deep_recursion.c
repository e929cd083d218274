// A chain of tasks, each the only child of the one before and waited for, a thousand deep; and thousands without waiting.
// OpenMP 5.1, 2.12.1, 2.19.5
#include "check.h"

static int reached, chained;

static int descend(int depth) {
    int below = 0;
    if (depth == 0) return 1;
#pragma omp task shared(below)
    below = descend(depth - 1);
#pragma omp taskwait
    return below + 1;
}

static void chain(int left) {
    __atomic_fetch_add(&chained, 1, __ATOMIC_RELAXED);
    if (left > 0) {
#pragma omp task
        chain(left - 1);
    }
}

int main(void) {
#pragma omp parallel
    {
#pragma omp single
        reached = descend(1000);
#pragma omp single
        {
#pragma omp task
            chain(omp_get_num_threads() > 1 ? 3000 : 500);
        }
    }
    CHECK_EQ(reached, 1001);
    CHECK_EQ(chained, omp_get_max_threads() > 1 ? 3001 : 501);
    return verdict();
}
