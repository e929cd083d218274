// fork() while another thread is in the middle of its first use of OpenMP: the child, in which that thread does not exist, can
// use OpenMP all the same. OpenMP 5.1, 2.6
//@ checker: no because the child would write over the parent's report
//@ stock-fails: gcc because libgomp waits in the child for threads that fork did not copy
//@ stock-fails: clang because libomp's child waits for the initialisation that fork interrupted
//@ threads: 2 8
//@ timeout: 90
#include <pthread.h>

#include "children.h"

static volatile int go;

static void *first_use(void *argument) {
    (void)argument;
    go = 1;
    CHECK(work_while(1), "in the thread");
    return NULL;
}

// In a process that has not used OpenMP: one thread begins to while another forks, this much later.
static int trial(unsigned later) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, first_use, NULL), 0);
    while (!go) {
    }
    spin_work(later);
    pid_t child = fork();
    if (child == 0) {
        child_begins();
        _exit(child_work() ? 12 : 1);
    }
    child_ends(child, 12);
    pthread_join(thread, NULL);
    CHECK(child_work(), "after the fork");
    return corpus_failures;
}

int main(void) {
    // 0 to about half a millisecond later: reading the environment, making the thread a root, its first team.
    for (unsigned i = 0; i < 25; i++) {
        fflush(stdout);
        pid_t child = fork();
        if (child == 0) {
            child_begins();
            exit(trial(i * i * 150) ? 1 : 13);
        }
        child_ends(child, 13);
    }
    return verdict();
}
