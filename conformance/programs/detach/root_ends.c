// A foreign thread ends while a task that it generated outside of all regions is detached; the event is fulfilled later, by another
// thread, and threads that come after are none the worse. OpenMP 5.1, 2.12.1 (detach clause)
//@ libs: pthread
//@ stock-fails: gcc because outside of regions it waits for each event before it goes on
//@ stock-fails: clang because it uses the memory of a thread that has ended
//@ needs: gcc 11
#include <pthread.h>

#include "check.h"

static omp_event_handle_t handle;
static int ran;

static void *leave(void *unused) {
    (void)unused;
    omp_event_handle_t event;
#pragma omp task detach(event)
    {
        handle = event;
#pragma omp atomic
        ran++;
    }
    return NULL;
}

static void *work(void *result) {
    int sum = 0;
#pragma omp parallel reduction(+ : sum)
    {
#pragma omp task shared(sum)
        {
#pragma omp atomic
            ran++;
        }
        sum = 1;
    }
    int done = 0;
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(done)
        done++;
    }
#pragma omp taskwait
    CHECK_EQ(done, 10);
    *(int *)result = sum;
    return NULL;
}

int main(void) {
    for (int round = 0; round < 10; round++) {
        pthread_t thread;
        int threads = 0;
        pthread_create(&thread, NULL, leave, NULL);
        pthread_join(thread, NULL);
        if (round % 2) omp_fulfill_event(handle);
        pthread_create(&thread, NULL, work, &threads);
        pthread_join(thread, NULL);
        CHECK(threads >= 1, "no threads");
        if (round % 2 == 0) omp_fulfill_event(handle);
        pthread_create(&thread, NULL, work, &threads);
        pthread_join(thread, NULL);
    }
    return verdict();
}
