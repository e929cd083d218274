// Root threads that are cancelled by pthread_cancel inside a loop of their region that has no barrier: what is left of their
// teams disturbs nobody, other roots go on with regions of the full size, and the program ends. OpenMP 5.1, 1.2.1
//@ checker: no because the regions of the cancelled threads never end
//@ stock-fails: gcc because libgomp's thread ends inside the region with its team still in use
//@ threads: 1 2 3
//@ stock-fails: clang because libomp gives the cancelled thread's team to another
//@ timeout: 90
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

static sem_t ready;

static void *run(void *argument) {
    (void)argument;
#pragma omp parallel
    {
        if (omp_get_thread_num() == 0) {
            sem_post(&ready);
            for (;;) pthread_testcancel();
        }
    }
    return NULL;
}

int main(void) {
    sem_init(&ready, 0, 0);
    for (int i = 0; i < 10; i++) {
        pthread_t thread;
        void *result = NULL;
        int n = 0;
        CHECK_EQ(pthread_create(&thread, NULL, run, NULL), 0);
        sem_wait(&ready);
        CHECK_EQ(pthread_cancel(thread), 0);
        pthread_join(thread, &result);
        CHECK(result == PTHREAD_CANCELED, "%p", result);
#pragma omp parallel reduction(+ : n)
        {
#pragma omp barrier
            n++;
        }
        CHECK_EQ(n, omp_get_max_threads());
    }
    return verdict();
}
