// A child that a worker forked comes to the end of the region, where nothing is left for it to go on with: it says so in one line
// and ends; the parent goes on. OpenMP 5.1, 2.6
//@ checker: no because the child would write over the parent's report
//@ stock-fails: gcc because libgomp waits in the child for threads that fork did not copy
//@ stock-fails: clang because libomp waits in the child for threads that fork did not copy
//@ threads: 2 3 8
//@ timeout: 90
//@ expect-stderr: ferromp: forked worker
#include "children.h"

int main(void) {
    pid_t child = -1;
    int n = 0;
#pragma omp parallel reduction(+ : n)
    {
        if (omp_get_thread_num() == 1) {
            child = fork();
            if (child == 0) child_begins();
        }
        n++;
    }
    CHECK_EQ(n, omp_get_max_threads());
    child_ends(child, 1);
    CHECK(child_work(), "behind");
    return verdict();
}
