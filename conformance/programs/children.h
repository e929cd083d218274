// What the programs about fork share: OpenMP work for a child to do, and children that must end well and in time.
#ifndef CORPUS_CHILDREN_H
#define CORPUS_CHILDREN_H

#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check.h"

// A bit of everything, in regions of the calling thread. Whether it came out right. No thread forks meanwhile unless
// `forks` says so: a critical region that another thread is in at the fork stays closed in the child.
static int work_while(int forks) {
    int want = omp_get_max_threads(), size = 0, loops = 0, tasks = 0, ones = 0;
    for (int round = 0; round < 3; round++) {
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
            if (!forks) {
#pragma omp critical(children)
                ones++;
            }
        }
    }
    return size == 3 * want && loops == 90 && tasks == 60 && ones == (forks ? 0 : 3 * want);
}

static int child_work(void) { return work_while(0); }

// In a new child: it may take this long.
static void child_begins(void) { alarm(30); }

// Waits for a child, which has to end with the code.
static void child_ends(pid_t child, int code) {
    int status = -1;
    CHECK(child > 0, "fork failed");
    while (waitpid(child, &status, 0) < 0) {
    }
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == code, "a child ended with status %x", status);
}

#endif
