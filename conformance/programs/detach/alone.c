// In a team of one thread, and outside of all regions, tasks wait for one whose event is open, and only for that: whoever
// fulfils it does so after they were generated. OpenMP 5.1, 2.12.1 (detach clause), 2.19.11
//@ stock-fails: gcc because outside of all regions it waits for the event where the task is generated
//@ needs: gcc 11
#include "check.h"
#include <stdlib.h>

static int order[8], steps;

static void step(int what) { order[steps++] = what; }

static void check_order(const char *where, const int *wanted, int count) {
    CHECK(steps == count, "%s: %d steps, not %d", where, steps, count);
    for (int i = 0; i < count; i++) CHECK(order[i] == wanted[i], "%s: step %d is %d, not %d", where, i, order[i], wanted[i]);
    steps = 0;
}

// Its successor runs when the event is fulfilled, and the tasks beside it before.
static void fulfilled_by_the_generator(const char *where) {
    int x = 0, y = 0;
    omp_event_handle_t event;
#pragma omp task depend(out : x) detach(event) shared(x)
    step(1);
#pragma omp task depend(in : x) shared(x)
    step(4);
#pragma omp task depend(in : x) shared(x)
    step(5);
#pragma omp task depend(inout : y) shared(y)
    step(2);
#pragma omp task
    step(3);
    CHECK(steps <= 3, "%s: %d steps before the event is fulfilled", where, steps);
    omp_fulfill_event(event);
#pragma omp taskwait
    // Which of the two comes first is open, and so is the order of those that wait for nothing.
    int early = 0, late = 0;
    for (int i = 0; i < steps; i++) {
        if (order[i] >= 4) late++;
        else early += order[i];
        CHECK(order[i] >= 4 || late == 0 || order[i] != 1, "%s: the task ran behind its successor", where);
    }
    CHECK_EQ(early, 6);
    CHECK_EQ(late, 2);
    steps = 0;
}

// The event is fulfilled before the task's code has returned.
static void fulfilled_by_the_task(const char *where) {
    int x = 0;
    omp_event_handle_t event;
#pragma omp task depend(out : x) detach(event) shared(x)
    {
        step(1);
        omp_fulfill_event(event);
    }
#pragma omp task depend(in : x) shared(x)
    step(2);
#pragma omp taskwait
    check_order(where, (int[]){1, 2}, 2);
}

// A task that waits for the event is the predecessor of another.
static void chain(const char *where) {
    int x = 0, y = 0;
    omp_event_handle_t event;
#pragma omp task depend(out : x) detach(event) shared(x)
    step(1);
#pragma omp task depend(in : x) depend(out : y) shared(x, y)
    step(2);
#pragma omp task depend(in : y) shared(y)
    step(3);
#pragma omp task depend(mutexinoutset : y) shared(y)
    step(4);
    omp_fulfill_event(event);
#pragma omp taskwait depend(inout : y)
    check_order(where, (int[]){1, 2, 3, 4}, 4);
#pragma omp taskwait
}

// A taskgroup waits for the event of a task that a finished task has generated.
static void grandchild(const char *where) {
    omp_event_handle_t event;
#pragma omp taskgroup
    {
#pragma omp task shared(event)
        {
#pragma omp task detach(event)
            step(1);
            step(2);
        }
#pragma omp taskwait
#pragma omp task
        {
            step(3);
            omp_fulfill_event(event);
        }
    }
    int sum = 0;
    for (int i = 0; i < steps; i++) sum += order[i];
    CHECK(steps == 3 && sum == 6, "%s: %d steps", where, steps);
    steps = 0;
}

// Once all are complete, a chain starts afresh.
static void again(const char *where) {
    int x = 0;
    for (int round = 0; round < 3; round++) {
        omp_event_handle_t event;
#pragma omp task depend(out : x) detach(event) shared(x)
        step(1);
        omp_fulfill_event(event);
#pragma omp task depend(inout : x) shared(x)
        step(2);
#pragma omp taskwait
        check_order(where, (int[]){1, 2}, 2);
#pragma omp task depend(inout : x) shared(x)
        step(3);
#pragma omp taskwait
        check_order(where, (int[]){3}, 1);
    }
}

static void all(const char *where) {
    fulfilled_by_the_generator(where);
    fulfilled_by_the_task(where);
    chain(where);
    grandchild(where);
    again(where);
}

int main(void) {
#pragma omp parallel num_threads(1)
    all("a team of one");
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp parallel num_threads(1)
        all("a team of one inside");
    }
#pragma omp teams num_teams(2) thread_limit(1)
    if (omp_get_team_num() == 0) all("a league's team");
    all("outside");
    return verdict();
}
