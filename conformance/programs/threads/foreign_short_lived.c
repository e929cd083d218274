// Hundreds of short-lived threads one after another, each of which opens one region and ends: nothing accumulates or hangs.
// OpenMP 5.1, 2.6
//@ threads: 1 2 3
#include <pthread.h>

#include "check.h"

static int members;

static void *run(void *argument) {
    (void)argument;
#pragma omp parallel
    {
#pragma omp atomic
        members++;
    }
    return NULL;
}

int main(void) {
    int rounds = 100;
    for (int i = 0; i < rounds; i++) {
        pthread_t thread;
        CHECK_EQ(pthread_create(&thread, NULL, run, NULL), 0);
        pthread_join(thread, NULL);
    }
    CHECK_EQ(members, rounds * omp_get_max_threads());
    return verdict();
}
