// Threads that the program created itself fork bound regions of their own: each team has its places, the program's own thread too.
// OpenMP 5.1, 2.6.2
//@ env: OMP_PLACES={0},{1}
//@ env: OMP_PROC_BIND=close
//@ libs: pthread
//@ threads: 1 2 3

#include "bound.h"

#include <pthread.h>

static void *root(void *argument) {
    (void)argument;
    for (int round = 0; round < 3; round++) {
#pragma omp parallel
        check_at(omp_get_place_num());
    }
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (int i = 0; i < 4; i++) CHECK_EQ(pthread_create(&threads[i], NULL, root, NULL), 0);
    root(NULL);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    return verdict();
}
