// Detachable tasks that are undeferred, included in a final task, in a region of one thread and outside of all regions: whoever generates
// an undeferred one goes on only when its event is fulfilled. OpenMP 5.1, 2.12.1 (detach clause)
//@ libs: pthread
//@ stock-fails: clang because it does not wait for the event of an undeferred task
#include <pthread.h>
#include <unistd.h>

#include "check.h"

static int fulfilled;

static void *fulfil(void *event) {
    usleep(300);
#pragma omp atomic write
    fulfilled = 1;
    omp_fulfill_event(*(omp_event_handle_t *)event);
    return NULL;
}

static void all(void) {
    for (int kind = 0; kind < 3; kind++) {
        pthread_t thread;
        omp_event_handle_t event;
        int ran = 0, seen;
        fulfilled = 0;
        if (kind == 0) {
#pragma omp task detach(event) if (0) shared(ran, thread)
            {
                ran = 1;
                static omp_event_handle_t copy;
                copy = event;
                pthread_create(&thread, NULL, fulfil, &copy);
            }
        } else if (kind == 1) {
#pragma omp task detach(event) shared(ran, thread)
            {
                ran = 1;
                static omp_event_handle_t copy;
                copy = event;
                pthread_create(&thread, NULL, fulfil, &copy);
            }
#pragma omp taskwait
        } else {
#pragma omp taskgroup
            {
#pragma omp task detach(event) shared(ran, thread)
                {
                    ran = 1;
                    static omp_event_handle_t copy;
                    copy = event;
                    pthread_create(&thread, NULL, fulfil, &copy);
                }
            }
        }
#pragma omp atomic read
        seen = fulfilled;
        CHECK_EQ(ran, 1);
        CHECK(seen == 1, "kind %d went on before its event", kind);
        pthread_join(thread, NULL);
    }
}

int main(void) {
    all();
#pragma omp parallel num_threads(1)
    all();
#pragma omp parallel
#pragma omp single
    all();
    return verdict();
}
