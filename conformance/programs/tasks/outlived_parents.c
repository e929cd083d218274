// Tasks that complete long before their descendants: a tree in which nobody waits, ended by a barrier, and by a
// taskgroup, in teams of some threads and of many. The memory of the tasks is used again.
// OpenMP 5.1, 2.12.1, 2.19.6
#include "check.h"
#include <sys/resource.h>

static int executed;

static void grow(int depth) {
    __atomic_fetch_add(&executed, 1, __ATOMIC_RELAXED);
    if (depth == 0) return;
    for (int child = 0; child < 2; child++) {
#pragma omp task firstprivate(depth)
        grow(depth - 1);
    }
}

static void grow_trees(int threads) {
    executed = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single nowait
    grow(10);
    CHECK_EQ(executed, 2047);

    executed = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    {
#pragma omp taskgroup
        grow(8);
        CHECK_EQ(executed, 511);
    }
}

static long most_kilobytes(void) {
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    return usage.ru_maxrss;
}

int main(void) {
    for (int round = 0; round < 5; round++) grow_trees(omp_get_max_threads());
    for (int round = 0; round < 10; round++) grow_trees(20);
    long before = most_kilobytes();
    // The tasks of so many trees take 20 MB and more.
    for (int round = 0; round < 40; round++) grow_trees(20);
    long more = most_kilobytes() - before;
    CHECK(more < 8000, "40 trees took %ld kB more", more);
    return verdict();
}
