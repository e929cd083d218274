// Threads that the program makes itself have their own threadprivate copies, with the initial values, and so do their regions.
// OpenMP 5.1, 2.21.2
//@ threads: 1 2 3
#include <pthread.h>

#include "check.h"

static int value = 11;
#pragma omp threadprivate(value)

static void *run(void *argument) {
    int own = (int)(long)argument;
    CHECK_EQ(value, 11);
    value = own;
#pragma omp parallel
    {
        CHECK_EQ(value, omp_get_thread_num() == 0 ? own : 11);
        if (omp_get_thread_num() != 0) value = 11;
    }
#pragma omp parallel copyin(value)
    {
        CHECK_EQ(value, own);
#pragma omp barrier
        if (omp_get_thread_num() != 0) value = 11;
    }
    CHECK_EQ(value, own);
    return NULL;
}

int main(void) {
    value = 5;
    for (int round = 0; round < 8; round++) {
        pthread_t threads[3];
        for (long i = 0; i < 3; i++) CHECK_EQ(pthread_create(&threads[i], NULL, run, (void *)(100 + i)), 0);
        for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
    }
    CHECK_EQ(value, 5);
    return verdict();
}
