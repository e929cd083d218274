// fork() inside tasks, of which others are pending, waited for and under way: the child finishes the task and has a taskgroup and
// tasks of its own in it, then ends. OpenMP 5.1, 2.12
//@ checker: no because the child would write over the parent's report
//@ stock-fails: gcc because libgomp waits in the child for threads that fork did not copy
//@ stock-fails: clang because libomp waits in the child for threads that fork did not copy
//@ threads: 1 2 3 8
//@ timeout: 90
#include "children.h"

static int in_child(void) {
    int tasks = 0;
    for (int i = 0; i < 5; i++) {
#pragma omp task shared(tasks)
        {
#pragma omp atomic
            tasks++;
        }
    }
#pragma omp taskwait
#pragma omp taskgroup
    for (int i = 0; i < 5; i++) {
#pragma omp task shared(tasks)
        {
#pragma omp atomic
            tasks++;
        }
    }
    return tasks == 10 ? 19 : 1;
}

int main(void) {
    int done = 0;
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup
    for (int i = 0; i < 12; i++) {
#pragma omp task shared(done) firstprivate(i)
        {
            // Children that other threads may have when this one forks.
            for (int k = 0; k < 3; k++) {
#pragma omp task
                spin_work(300);
            }
            if (i % 4 == 1) {
                pid_t child = fork();
                if (child == 0) {
                    child_begins();
#pragma omp taskwait
                    _exit(in_child());
                }
                child_ends(child, 19);
            }
#pragma omp taskwait
#pragma omp atomic
            done++;
        }
    }
    CHECK_EQ(done, 12);
    return verdict();
}
