// With KMP_HOT_TEAMS_MAX_LEVEL=0 another thread's region gets the workers that a region has left, instead of new ones.
//@ env: KMP_HOT_TEAMS_MAX_LEVEL=0
//@ env: OMP_NUM_THREADS=4
//@ libs: pthread
#include "check.h"
#include "../resources/threads.h"
#include <pthread.h>

static void *region(void *unused) {
    (void)unused;
    int size = 0;
#pragma omp parallel reduction(+ : size)
    size++;
    CHECK_EQ(size, 4);
    return NULL;
}

int main(void) {
    region(NULL);
    int before = threads_now();
    for (int round = 0; round < 10; round++) {
        pthread_t thread;
        pthread_create(&thread, NULL, region, NULL);
        pthread_join(thread, NULL);
    }
    CHECK(threads_now() <= before + 4, "%d threads, %d before", threads_now(), before);
    return verdict();
}
