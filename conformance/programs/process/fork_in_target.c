// A child that was forked by a thread in a target region inside of a parallel region, or in a region there, comes to the end of
// all of them, and has regions of the full size behind. OpenMP 5.1, 2.14.5
//@ compilers: gcc
//@ checker: no because the child would write over the parent's report
//@ stock-fails: gcc because libgomp waits in the child for threads that fork did not copy
//@ threads: 1 2 3 8
//@ timeout: 90
#include "children.h"

int main(void) {
    pid_t child = -1;
#pragma omp parallel shared(child)
    {
#pragma omp master
        {
#pragma omp target map(tofrom : child)
            {
                child = fork();
                if (child == 0) child_begins();
            }
        }
#pragma omp barrier
    }
    if (child == 0) exit(omp_get_level() == 0 && child_work() ? 17 : 1);
    child_ends(child, 17);

    child = -1;
#pragma omp parallel shared(child)
    {
#pragma omp master
        {
#pragma omp target map(tofrom : child)
            {
#pragma omp parallel num_threads(2) shared(child)
                {
#pragma omp master
                    {
                        child = fork();
                        if (child == 0) child_begins();
                    }
#pragma omp barrier
                }
            }
        }
    }
    if (child == 0) exit(omp_get_level() == 0 && child_work() ? 18 : 1);
    child_ends(child, 18);
    CHECK(child_work(), "behind");
    return verdict();
}
