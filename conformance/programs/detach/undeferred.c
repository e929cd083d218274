// Detachable tasks that are undeferred, included in a final task, in a region of one thread and outside of all regions: their generating
// task goes on behind their code, and may be the one that fulfils the event. Whoever waits for tasks waits for the event: taskwait,
// taskgroup, barriers and later siblings with dependences. OpenMP 5.1, 1.2.5 (undeferred task), 2.12.1 (detach clause)
//@ libs: pthread
//@ stock-fails: gcc because the generating task waits for the event
//@ stock-fails: clang because its siblings with dependences do not wait for the event
//@ needs: gcc 11
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

static void check_fulfilled(const char *what) {
    int seen;
#pragma omp atomic read
    seen = fulfilled;
    CHECK(seen == 1, "%s went on before the event", what);
}

// The generating task fulfils the event behind the construct: a wait inside would never end.
static void fulfilled_by_the_generator(void) {
    for (int round = 0; round < 20; round++) {
        int ran = 0;
        omp_event_handle_t event;
#pragma omp task detach(event) if (0) shared(ran)
        ran = 1;
        CHECK_EQ(ran, 1);
        omp_fulfill_event(event);
#pragma omp taskwait
        int x = 0;
#pragma omp task depend(out : x) shared(x)
        {
            spin_work(300);
            x = 1;
        }
#pragma omp task detach(event) if (0) depend(inout : x) shared(x)
        {
            CHECK_EQ(x, 1);
            x = 2;
        }
        CHECK_EQ(x, 2);
#pragma omp task depend(inout : x) shared(x)
        {
            CHECK_EQ(x, 3);
            x = 4;
        }
        spin_work(300);
        x = 3;
        omp_fulfill_event(event);
#pragma omp taskwait
        CHECK_EQ(x, 4);
    }
}

// All tasks in a final task are included.
static void included(void) {
    int steps = 0;
#pragma omp task final(1) shared(steps)
    {
        omp_event_handle_t event;
#pragma omp task detach(event) shared(steps)
        steps++;
        CHECK_EQ(steps, 1);
        omp_fulfill_event(event);
    }
#pragma omp taskwait
    CHECK_EQ(steps, 1);
}

// A thread of the program's own fulfils the event, while the generating task is in one of the waits.
static void fulfilled_elsewhere(void) {
    for (int kind = 0; kind < 4; kind++) {
        pthread_t thread;
        omp_event_handle_t event;
        int x = 0;
        fulfilled = 0;
        if (kind == 0) {
#pragma omp task detach(event) if (0)
            x = 0;
            pthread_create(&thread, NULL, fulfil, &event);
#pragma omp taskwait
            check_fulfilled("taskwait");
        } else if (kind == 1) {
#pragma omp taskgroup
            {
#pragma omp task detach(event) if (0)
                x = 0;
                pthread_create(&thread, NULL, fulfil, &event);
            }
            check_fulfilled("taskgroup");
        } else if (kind == 2) {
#pragma omp task detach(event) if (0) depend(out : x)
            x = 1;
            pthread_create(&thread, NULL, fulfil, &event);
#pragma omp taskwait depend(in : x)
            check_fulfilled("taskwait with a dependence");
        } else {
#pragma omp task detach(event) if (0) depend(mutexinoutset : x)
            x = 1;
            pthread_create(&thread, NULL, fulfil, &event);
#pragma omp task depend(mutexinoutset : x)
            check_fulfilled("a sibling that excludes the task");
#pragma omp taskwait
        }
        pthread_join(thread, NULL);
    }
}

static void all(void) {
    fulfilled_by_the_generator();
    included();
    fulfilled_elsewhere();
}

// A wait that belongs to no task comes just before a task of its own.
static void no_dependence_of_its_own(void) {
    int x = 0;
    omp_event_handle_t event;
#pragma omp task depend(out : x) shared(x)
    x = 1;
#pragma omp taskwait depend(in : x)
#pragma omp task detach(event) if (0) shared(x)
    x = 2;
    // Waits for the first task only: with the second one it would wait for what comes next.
#pragma omp taskwait depend(inout : x)
    omp_fulfill_event(event);
#pragma omp taskwait
    CHECK_EQ(x, 2);
}

int main(void) {
    all();
    no_dependence_of_its_own();
#pragma omp parallel num_threads(1)
    all();
#pragma omp parallel
    {
#pragma omp single
        {
            all();
            no_dependence_of_its_own();
        }
        // The barrier waits for the event of a task that a thread has generated on its way to it.
        omp_event_handle_t event;
        pthread_t thread;
#pragma omp master
        {
            fulfilled = 0;
#pragma omp task detach(event) if (0)
            spin_work(1);
            pthread_create(&thread, NULL, fulfil, &event);
        }
#pragma omp barrier
        check_fulfilled("a barrier");
#pragma omp barrier
#pragma omp master
        pthread_join(thread, NULL);
    }
    return verdict();
}
