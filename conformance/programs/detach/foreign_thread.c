// Events that a thread fulfils which OpenMP knows nothing of, after the bodies have returned, in any order; the barrier and the taskgroup
// wait for them. OpenMP 5.1, 2.12.1 (detach clause), 3.5.1 (omp_fulfill_event)
//@ libs: pthread
//@ stock-fails: gcc because outside of regions it waits for each event before it goes on
//@ needs: gcc 11
#include <pthread.h>
#include <unistd.h>

#include "check.h"

enum { EVENTS = 40 };
static omp_event_handle_t events[EVENTS];
static int ready, bodies, fulfilled;

static void *fulfil(void *unused) {
    (void)unused;
    for (int n = 0; n < EVENTS; n++) {
        int seen;
        do {
#pragma omp atomic read seq_cst
            seen = ready;
        } while (seen < EVENTS);
        int i = n * 7 % EVENTS;
#pragma omp atomic
        fulfilled++;
        omp_fulfill_event(events[i]);
    }
    return NULL;
}

static void generate(void) {
    for (int i = 0; i < EVENTS; i++) {
        omp_event_handle_t event;
#pragma omp task detach(event) firstprivate(i)
        {
            events[i] = event;
#pragma omp atomic
            bodies++;
#pragma omp atomic seq_cst
            ready++;
        }
    }
}

static pthread_t start(void) {
    pthread_t thread;
    ready = bodies = fulfilled = 0;
    pthread_create(&thread, NULL, fulfil, NULL);
    return thread;
}

int main(void) {
    for (int round = 0; round < 5; round++) {
        pthread_t thread = start();
#pragma omp parallel
#pragma omp single
        generate();
        CHECK_EQ(fulfilled, EVENTS);
        CHECK_EQ(bodies, EVENTS);
        pthread_join(thread, NULL);

        thread = start();
#pragma omp parallel
#pragma omp single nowait
        {
#pragma omp taskgroup
            generate();
            CHECK_EQ(fulfilled, EVENTS);
        }
        pthread_join(thread, NULL);

        thread = start();
        generate();
#pragma omp taskwait
        CHECK_EQ(fulfilled, EVENTS);
        pthread_join(thread, NULL);
    }
    return verdict();
}
