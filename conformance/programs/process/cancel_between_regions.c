// Root threads that are cancelled by pthread_cancel between their regions, over and over: their workers serve others afterwards,
// nothing accumulates, and the program ends. OpenMP 5.1, 1.2.1
//@ threads: 1 2 3
//@ timeout: 90
#include <pthread.h>
#include <semaphore.h>
#include <unistd.h>

#include "check.h"

static sem_t ready;
static int cleaned;

static void cleanup(void *argument) {
    (void)argument;
    __atomic_fetch_add(&cleaned, 1, __ATOMIC_RELAXED);
}

static void *run(void *argument) {
    (void)argument;
    int n = 0;
    pthread_cleanup_push(cleanup, NULL);
#pragma omp parallel reduction(+ : n)
    n++;
    CHECK_EQ(n, omp_get_max_threads());
    sem_post(&ready);
    for (;;) pause();
    pthread_cleanup_pop(0);
    return NULL;
}

int main(void) {
    sem_init(&ready, 0, 0);
    for (int i = 0; i < 60; i++) {
        pthread_t thread;
        void *result = NULL;
        int n = 0;
        CHECK_EQ(pthread_create(&thread, NULL, run, NULL), 0);
        sem_wait(&ready);
        CHECK_EQ(pthread_cancel(thread), 0);
        pthread_join(thread, &result);
        CHECK(result == PTHREAD_CANCELED, "%p", result);
#pragma omp parallel reduction(+ : n)
        n++;
        CHECK_EQ(n, omp_get_max_threads());
    }
    CHECK_EQ(cleaned, 60);
    return verdict();
}
