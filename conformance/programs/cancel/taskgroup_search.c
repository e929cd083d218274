// A search in a tree of tasks that is given up when something is found; descendants in groups of their own end as well.
// OpenMP 5.1, 2.20.1, 2.19.6
//@ env: OMP_CANCELLATION=true
#include "check.h"

static int found, visited;

static void search(int node, int depth, int target) {
    __atomic_fetch_add(&visited, 1, __ATOMIC_RELAXED);
    if (depth == 0) return;
#pragma omp taskgroup
    {
        for (int child = 2 * node; child <= 2 * node + 1; child++) {
#pragma omp task firstprivate(child)
            search(child, depth - 1, target);
        }
    }
}

int main(void) {
    for (int round = 0; round < 10; round++) {
        found = visited = 0;
        int whole = (2 << 11) - 1;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
        {
            for (int i = 0; i < 8; i++) {
#pragma omp task firstprivate(i)
                {
                    search(1, 8, i);
                    __atomic_store_n(&found, 1, __ATOMIC_RELAXED);
#pragma omp cancel taskgroup
                    CHECK(0, "behind the cancellation of %d", i);
                }
            }
        }
        CHECK_EQ(found, 1);
        CHECK(visited >= 511 && visited <= whole, "%d nodes", visited);
    }
    // Without cancellation nothing is left out.
    visited = 0;
#pragma omp parallel
#pragma omp single
    search(1, 9, 0);
    CHECK_EQ(visited, 1023);
    return verdict();
}
