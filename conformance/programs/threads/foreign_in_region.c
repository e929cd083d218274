// A worker starts a thread of the program's own inside a region; that thread opens a region and is joined by the worker.
// OpenMP 5.1, 2.6
//@ threads: 1 2 3
#include <pthread.h>

#include "check.h"

static int inner;

static void *run(void *argument) {
    (void)argument;
    CHECK_EQ(omp_get_level(), 0);
#pragma omp parallel num_threads(2)
    {
        CHECK_EQ(omp_get_level(), 1);
#pragma omp atomic
        inner++;
    }
    return NULL;
}

int main(void) {
    for (int round = 0; round < 5; round++) {
        inner = 0;
#pragma omp parallel
        {
            pthread_t thread;
            CHECK_EQ(pthread_create(&thread, NULL, run, NULL), 0);
            pthread_join(thread, NULL);
#pragma omp barrier
            CHECK_EQ(inner, 2 * omp_get_num_threads());
        }
    }
    return verdict();
}
