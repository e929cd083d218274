// main ends by pthread_exit while other threads are in the middle of regions, and the last of them ends the process by
// returning. OpenMP 5.1, 1.2.1
//@ checker: no because the process ends with its last thread, which is no call of exit by main
//@ threads: 1 2 3
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static int finished;

static void *run(void *argument) {
    (void)argument;
    int total = 0;
    for (int round = 0; round < 30; round++) {
        int n = 0;
#pragma omp parallel reduction(+ : n)
        {
            n++;
            if (round == 5 && omp_get_thread_num() == 0) usleep(5000);
#pragma omp barrier
        }
        total += n;
    }
    CHECK_EQ(total, 30 * omp_get_max_threads());
    if (__atomic_add_fetch(&finished, 1, __ATOMIC_ACQ_REL) == 3) exit(verdict());
    return NULL;
}

int main(void) {
    pthread_t thread;
#pragma omp parallel
    spin_work(10);
    for (int i = 0; i < 3; i++) CHECK_EQ(pthread_create(&thread, NULL, run, NULL), 0);
    pthread_exit(NULL);
}
