// Threads that OpenMP did not make run target regions at the same time. OpenMP 5.1, 1.3
//@ devices: 1 3
//@ stock-fails: clang because its target tasks count the threads of their own that they may have
//@ stock-fails: offload because its target tasks need a team
//@ libs: pthread
#include <pthread.h>

#include "device.h"

static int wrong;

static void *work(void *argument) {
    int me = (int)(long)argument;
    for (int i = 0; i < 50; i++) {
        int r = 0, a[8];
        FILL(a, 8, me);
#pragma omp target map(tofrom : a) map(from : r)
        {
            r = 0;
            for (int k = 0; k < 8; k++) r += a[k]++;
        }
        if (r != 8 * me || a[7] != me + 1) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    }
    int late = 0;
#pragma omp target nowait map(tofrom : late)
    late = me + 1;
#pragma omp taskwait
    if (late != me + 1) __atomic_fetch_add(&wrong, 1, __ATOMIC_RELAXED);
    return NULL;
}

int main(void) {
    pthread_t threads[4];
    for (long i = 0; i < 4; i++) pthread_create(&threads[i], NULL, work, (void *)i);
    for (int i = 0; i < 4; i++) pthread_join(threads[i], NULL);
    CHECK_EQ(wrong, 0);
    return verdict();
}
