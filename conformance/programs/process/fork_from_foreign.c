// fork() by a thread that has never used OpenMP while the others do, and by one that has had a region: both children have
// regions of the full size. OpenMP 5.1, 1.2.1, 2.6
//@ checker: no because the child would write over the parent's report
//@ stock-fails: gcc because libgomp waits in the child for threads that fork did not copy
//@ threads: 1 2 8
//@ timeout: 90
#include <pthread.h>

#include "children.h"

static void *forks(void *argument) {
    int used = argument != NULL;
    if (used) CHECK(work_while(1), "in the thread");
    for (int i = 0; i < 3; i++) {
        pid_t child = fork();
        if (child == 0) {
            child_begins();
            int right = omp_get_level() == 0 && omp_get_num_threads() == 1 && child_work();
            exit(right ? 14 : 1);
        }
        child_ends(child, 14);
    }
    return NULL;
}

int main(void) {
    static int yes;
    pthread_t without, with;
    CHECK(child_work(), "before");
    CHECK_EQ(pthread_create(&without, NULL, forks, NULL), 0);
    CHECK_EQ(pthread_create(&with, NULL, forks, &yes), 0);
    for (int i = 0; i < 20; i++) CHECK(work_while(1), "meanwhile");
    pthread_join(without, NULL);
    pthread_join(with, NULL);
    return verdict();
}
