// Nested taskgroups, taskgroups in tasks, empty ones, and one in every thread at once wait for exactly their own descendants.
// OpenMP 5.1, 2.19.6 (taskgroup construct)
#include "check.h"

static void spawn(int depth, int *count) {
    for (int i = 0; i < 2; i++) {
#pragma omp task firstprivate(depth)
        {
            if (depth > 0) spawn(depth - 1, count);
#pragma omp atomic
            (*count)++;
        }
    }
}

int main(void) {
#pragma omp parallel
    {
#pragma omp taskgroup
        {
        }
        for (int round = 0; round < 5; round++) {
            int outer = 0, inner = 0, nested = 0;
#pragma omp taskgroup
            {
                spawn(3, &outer);
#pragma omp taskgroup
                spawn(2, &inner);
                CHECK_EQ(inner, 14);
#pragma omp task shared(nested)
                {
#pragma omp taskgroup
                    spawn(1, &nested);
                    CHECK_EQ(nested, 6);
                }
            }
            CHECK_EQ(outer, 30);
            CHECK_EQ(nested, 6);
        }
    }
    return verdict();
}
