// The initial thread ends by pthread_exit while other threads of the program go on with regions of their own.
// OpenMP 5.1, 1.2.1
//@ threads: 1 2 3
#include <pthread.h>

#include "check.h"

static pthread_t first;

static void *run(void *argument) {
    (void)argument;
    pthread_join(first, NULL);
    for (int round = 0; round < 10; round++) {
        int n = 0;
#pragma omp parallel reduction(+ : n)
        n++;
        CHECK_EQ(n, omp_get_max_threads());
    }
    exit(verdict());
}

int main(void) {
    int n = 0;
    pthread_t thread;
#pragma omp parallel reduction(+ : n)
    n++;
    CHECK_EQ(n, omp_get_max_threads());
    first = pthread_self();
    CHECK_EQ(pthread_create(&thread, NULL, run, NULL), 0);
    pthread_exit(NULL);
}
