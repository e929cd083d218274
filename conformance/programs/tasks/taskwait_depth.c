// taskwait waits for the children of the current task, not for their descendants; taskgroup waits for both.
// OpenMP 5.1, 2.19.5 (taskwait), 2.19.6 (taskgroup)
#include "check.h"

static void tree(int depth, int *count) {
#pragma omp atomic
    (*count)++;
    if (depth == 0) return;
    for (int i = 0; i < 3; i++) {
#pragma omp task
        tree(depth - 1, count);
    }
}

int main(void) {
#pragma omp parallel
    {
        int nodes = 0, children = 0;
        for (int round = 0; round < 3; round++) {
            nodes = 0;
#pragma omp taskgroup
            tree(3, &nodes);
            CHECK_EQ(nodes, 40);
            children = 0;
            static int strays;
            for (int i = 0; i < 8; i++) {
#pragma omp task shared(children)
                {
#pragma omp task
                    {
#pragma omp atomic
                        strays++;
                    }
#pragma omp atomic
                    children++;
                }
            }
#pragma omp taskwait
            CHECK_EQ(children, 8);
#pragma omp barrier
            CHECK_EQ(strays % 8, 0);
#pragma omp barrier
        }
    }
    return verdict();
}
