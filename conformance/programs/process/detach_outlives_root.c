// Tasks with an event, generated outside any region by threads that end before the event is fulfilled: whoever fulfils it later,
// and whichever threads have come meanwhile, nothing is disturbed. OpenMP 5.1, 2.12.1 (detach), 3.5.1
//@ threads: 1 2 8
//@ stock-fails: gcc because it waits for the event before the task's thread goes on
//@ stock-fails: clang because libomp hangs when the task's thread has ended
//@ checker: no because the tasks' threads have ended when the tasks complete
//@ needs: gcc 11
#include <pthread.h>

#include "check.h"

enum { THREADS = 20 };

static omp_event_handle_t handles[THREADS];
static int bodies;

static void *generates(void *argument) {
    int index = (int)(long)argument;
    omp_event_handle_t event;
#pragma omp task detach(event)
    {
#pragma omp atomic
        bodies++;
    }
    handles[index] = event;
    return NULL;
}

static void *works(void *argument) {
    (void)argument;
    int n = 0;
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(n)
        n++;
    }
#pragma omp taskwait
    CHECK_EQ(n, 10);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < 10; i++) {
#pragma omp task shared(n)
        {
#pragma omp atomic
            n++;
        }
    }
    CHECK_EQ(n, 20);
    return NULL;
}

static void run(void *(*function)(void *), long argument) {
    pthread_t thread;
    CHECK_EQ(pthread_create(&thread, NULL, function, (void *)argument), 0);
    pthread_join(thread, NULL);
}

int main(void) {
    for (long i = 0; i < THREADS; i++) {
        run(generates, i);
        run(works, 0);
        if (i % 2) omp_fulfill_event(handles[i]);
    }
    for (int i = 0; i < THREADS; i += 2) {
        omp_fulfill_event(handles[i]);
        run(works, 0);
    }
    CHECK_EQ(bodies, THREADS);
    return verdict();
}
