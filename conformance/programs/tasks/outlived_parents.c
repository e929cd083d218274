// Tasks that complete long before their descendants: a tree in which nobody waits, ended by a barrier, and by a taskgroup.
// OpenMP 5.1, 2.12.1, 2.19.6
#include "check.h"

static int executed;

static void grow(int depth) {
    __atomic_fetch_add(&executed, 1, __ATOMIC_RELAXED);
    if (depth == 0) return;
    for (int child = 0; child < 2; child++) {
#pragma omp task firstprivate(depth)
        grow(depth - 1);
    }
}

int main(void) {
    for (int round = 0; round < 5; round++) {
        executed = 0;
#pragma omp parallel
#pragma omp single nowait
        grow(10);
        CHECK_EQ(executed, 2047);

        executed = 0;
#pragma omp parallel
#pragma omp single
        {
#pragma omp taskgroup
            grow(8);
            CHECK_EQ(executed, 511);
        }
    }
    return verdict();
}
