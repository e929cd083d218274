// main ends by pthread_exit when the runtime has idle workers: with the last thread of the program the process ends, with 0, and runs what
// was registered by atexit. A thread that comes later gets its workers anew. OpenMP 5.1, 1.2.1 (native threads)
//@ checker: no because the process ends with its last thread, which is no call of exit by main
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static int later = 1;

static void all_threads_work(void) {
    int n = 0, tasks = 0;
#pragma omp parallel reduction(+ : n)
    {
        n++;
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task shared(tasks)
            {
#pragma omp atomic
                tasks++;
            }
        }
    }
    CHECK_EQ(n, omp_get_max_threads());
    CHECK_EQ(tasks, 20);
}

static void *comes_later(void *main_thread) {
    pthread_join(*(pthread_t *)main_thread, NULL);
    all_threads_work();
    later--;
    return NULL;
}

static void at_exit(void) {
    CHECK_EQ(later, 0);
    verdict();
}

int main(void) {
    static pthread_t self;
    pthread_t thread;
    self = pthread_self();
    atexit(at_exit);
    alarm(30);
    all_threads_work();
    CHECK_EQ(pthread_create(&thread, NULL, comes_later, &self), 0);
    pthread_exit(NULL);
}
