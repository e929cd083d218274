// A child that was forked by the primary thread inside a region, and a child of that in a nested one, comes to the end of the
// region, goes on behind it, and has regions of the full size there. OpenMP 5.1, 2.6
//@ checker: no because the child would write over the parent's report
//@ stock-fails: gcc because libgomp waits in the child for threads that fork did not copy
//@ stock-fails: clang because libomp waits in the child for threads that fork did not copy
//@ threads: 1 2 3 8
//@ timeout: 90
#include "children.h"

int main(void) {
    pid_t child = -1, nested = -1;
    CHECK(child_work(), "before");
#pragma omp parallel
    {
#pragma omp master
        {
            child = fork();
            if (child == 0) child_begins();
        }
#pragma omp barrier
    }
    if (child == 0) exit(child_work() ? 17 : 1);
    child_ends(child, 17);

    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
#pragma omp parallel num_threads(2)
            {
#pragma omp master
                {
                    nested = fork();
                    if (nested == 0) child_begins();
                }
            }
        }
    }
    if (nested == 0) exit(child_work() && omp_get_level() == 0 ? 18 : 1);
    child_ends(nested, 18);
    CHECK(child_work(), "behind");
    return verdict();
}
