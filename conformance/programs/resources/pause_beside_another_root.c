// A pause of one thread leaves the regions of another alone.
// OpenMP 5.1, 3.6.1
//@ stock-fails: clang because it waits for the other thread's workers
//@ libs: pthread
#include "check.h"
#include <pthread.h>

static int stop;

static void *other(void *unused) {
    (void)unused;
    while (!__atomic_load_n(&stop, __ATOMIC_RELAXED)) {
        int size = 0;
#pragma omp parallel num_threads(3) reduction(+ : size)
        size++;
        CHECK_EQ(size, 3);
    }
    return NULL;
}

int main(void) {
    pthread_t thread;
    pthread_create(&thread, NULL, other, NULL);
    for (int round = 0; round < 20; round++) {
        int size = 0;
#pragma omp parallel num_threads(2) reduction(+ : size)
        size++;
        CHECK_EQ(size, 2);
        CHECK_EQ(omp_pause_resource_all(round & 1 ? omp_pause_hard : omp_pause_soft), 0);
    }
    __atomic_store_n(&stop, 1, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    return verdict();
}
