// A hard pause gives threads back from every nesting level; what follows works: regions, tasks, threadprivate variables.
// OpenMP 5.1, 3.6.1
//@ stock-fails: clang because it does not survive a hard pause
#include "check.h"
#include "threads.h"

static int mine = 17;
#pragma omp threadprivate(mine)

int main(void) {
    int before = threads_now();
    omp_set_max_active_levels(2);
    mine = 4;
    for (int round = 0; round < 3; round++) {
        int inner = 0;
#pragma omp parallel num_threads(3) reduction(+ : inner)
#pragma omp parallel num_threads(2) reduction(+ : inner)
        {
            inner++;
#pragma omp task
            spin_work(100);
        }
        CHECK_EQ(inner, 6);
#pragma omp parallel copyin(mine)
        CHECK_EQ(mine, 4);
        CHECK_EQ(omp_pause_resource(omp_pause_hard, omp_get_initial_device()), 0);
        CHECK_EQ(threads_settle(before), before);
        CHECK_EQ(mine, 4);
#pragma omp parallel num_threads(4)
        CHECK(mine == 4 || mine == 17, "%d", mine);
    }
    return verdict();
}
