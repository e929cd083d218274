// fork() after regions have run: the child opens regions, runs loops and tasks, forks again, and exits by exit(); the parent
// goes on as before. OpenMP 5.1, 2.6
//@ checker: no because the child would write over the parent's report
//@ stock-fails: gcc because libgomp waits in the child for threads that fork did not copy
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

static int work(void) {
    int want = omp_get_max_threads(), size = 0, loops = 0, tasks = 0;
#pragma omp parallel reduction(+ : size)
    {
        size++;
#pragma omp for schedule(dynamic) reduction(+ : loops)
        for (int i = 0; i < 30; i++) loops++;
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task
            {
#pragma omp atomic
                tasks++;
            }
        }
    }
    CHECK_EQ(size, want);
    CHECK_EQ(loops, 30);
    CHECK_EQ(tasks, 20);
    return corpus_failures;
}

static int in_child(int depth) {
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int failed = work();
        if (depth > 0) failed += in_child(depth - 1);
        failed += work();
        exit(failed ? 1 : 0);
    }
    int status = -1;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child at depth %d: status %x", depth, status);
    return corpus_failures;
}

int main(void) {
    work();
    for (int i = 0; i < 3; i++) {
        in_child(1);
        work();
    }
    return verdict();
}
