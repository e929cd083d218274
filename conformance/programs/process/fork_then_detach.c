// fork() in a region and in a task, after tasks that ran where they were generated: in the child, a task with an event lets its
// successor go when the event is fulfilled. OpenMP 5.1, 2.12.1 (detach), 2.19.11
//@ checker: no because the child would write over the parent's report
//@ compilers: clang
//@ stock-fails: clang because libomp waits in the child for threads that fork did not copy
//@ threads: 2 3
#include "children.h"

static int undeferred, dependence, ran;

static void run_in_place(void) {
    for (int i = 0; i < 3; i++) {
#pragma omp task if (0)
        {
#pragma omp task if (0)
            undeferred++;
        }
    }
}

// What a child does: a task with an event, and a successor.
static int let_a_successor_go(void) {
    omp_event_handle_t event;
    ran = 0;
#pragma omp task detach(event) depend(out : dependence)
    undeferred++;
#pragma omp task depend(in : dependence)
    ran = 1;
    omp_fulfill_event(event);
#pragma omp taskwait
    return ran ? 19 : 1;
}

int main(void) {
#pragma omp parallel
#pragma omp master
    {
        run_in_place();
        pid_t child = fork();
        if (child == 0) {
            child_begins();
            _exit(let_a_successor_go());
        }
        child_ends(child, 19);
        int in_child = 0;
#pragma omp task if (0) shared(in_child, child)
        {
            run_in_place();
            child = fork();
            if (child == 0) {
                in_child = 1;
                child_begins();
                if (let_a_successor_go() != 19) _exit(2);
            }
        }
        if (in_child) {
            run_in_place();
            _exit(let_a_successor_go());
        }
        child_ends(child, 19);
    }
    return verdict();
}
