// fork() inside a region, by the primary thread and by a worker: the child is alone in the region, and may have barriers, single,
// loops, critical sections and tasks there before it ends by _exit or exec; the parent's team is not disturbed. OpenMP 5.1, 2.6
//@ checker: no because the child would write over the parent's report
//@ stock-fails: gcc because libgomp waits in the child for threads that fork did not copy
//@ stock-fails: clang because libomp waits in the child for threads that fork did not copy
//@ threads: 1 2 3 8
//@ timeout: 90
#include "children.h"

// What the child does in the region that it was forked in.
static int goes_on(void) {
    int loops = 0, singles = 0, tasks = 0, criticals = 0, inner = 0;
    CHECK_EQ(omp_get_num_threads(), 1);
    for (int round = 0; round < 12; round++) {
#pragma omp barrier
#pragma omp for schedule(dynamic, 2)
        for (int i = 0; i < 10; i++) loops++;
#pragma omp single
        singles++;
#pragma omp critical(goes_on)
        criticals++;
        for (int i = 0; i < 5; i++) {
#pragma omp task shared(tasks)
            tasks++;
        }
#pragma omp taskwait
        CHECK_EQ(tasks, 5 * (round + 1));
    }
#pragma omp parallel num_threads(3) reduction(+ : inner)
    inner += omp_get_level();
    CHECK_EQ(loops, 120);
    CHECK_EQ(singles, 12);
    CHECK_EQ(criticals, 12);
    CHECK_EQ(inner, 6);
    return corpus_failures;
}

int main(void) {
    int begun = 0, behind = 0;
#pragma omp parallel reduction(+ : behind)
    {
        // Tasks of all members are pending and under way at the time of the fork.
        for (int i = 0; i < 6; i++) {
#pragma omp task shared(begun)
            {
#pragma omp atomic
                begun++;
                spin_work(200);
            }
        }
        for (int turn = 0; turn < 2; turn++) {
            if (omp_get_thread_num() == (turn ? omp_get_num_threads() - 1 : 0)) {
                pid_t child = fork();
                if (child == 0) {
                    child_begins();
                    int failed = goes_on();
                    if (turn) execl("/bin/sh", "sh", "-c", failed ? "exit 1" : "exit 16", (char *)NULL);
                    _exit(failed ? 1 : 16);
                }
                child_ends(child, 16);
            }
#pragma omp barrier
        }
        behind++;
    }
    CHECK_EQ(begun, 6 * omp_get_max_threads());
    CHECK_EQ(behind, omp_get_max_threads());
    return verdict();
}
