// exit() by a thread of the program's own while the main thread's team is at work.
// OpenMP 5.1, 2.6
//@ exit: 6
#include <pthread.h>
#include <semaphore.h>

#include "check.h"

static sem_t busy;

static void *quit(void *argument) {
    int n = 0;
    (void)argument;
    sem_wait(&busy);
#pragma omp parallel num_threads(2) reduction(+ : n)
    n++;
    printf(n == 2 ? "ok\n" : "failed\n");
    exit(6);
}

int main(void) {
    volatile int forever = 1;
    pthread_t thread;
    sem_init(&busy, 0, 0);
    CHECK_EQ(pthread_create(&thread, NULL, quit, NULL), 0);
#pragma omp parallel
    {
#pragma omp barrier
#pragma omp master
        sem_post(&busy);
        while (forever) spin_work(1000);
    }
    return 1;
}
