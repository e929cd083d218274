// A long random row of tasks with one to three dependences of all types each: whatever order they run in, each finds its locations as in
// the order of their generation. OpenMP 5.1, 2.19.11 (depend clause)
//@ needs: gcc 11
#include "check.h"

enum { LOCATIONS = 6, TASKS = 600 };

enum kind { IN, OUT, MUTEX };

static struct {
    int value;   // changed by tasks
    int inside;  // tasks of a mutexinoutset that run now
} place[LOCATIONS];

// What the generating task knows: the value before the set of the tasks generated last, and after it.
static int before[LOCATIONS], after[LOCATIONS];
static enum kind last[LOCATIONS];

static unsigned seed = 12345;
static unsigned next_random(void) {
    seed = seed * 1103515245 + 12345;
    return seed >> 16;
}

struct need {
    int where, least, most;
    enum kind kind;
};

// Notes a dependence at its generation, and says between what values its task will find the location.
static struct need note(int where, enum kind kind) {
    if (kind != last[where] || kind == OUT) before[where] = after[where];
    last[where] = kind;
    struct need need = {where, before[where], before[where], kind};
    if (kind == OUT) after[where] = before[where] + 1;
    if (kind == MUTEX) {
        need.most = after[where];
        after[where]++;
    }
    return need;
}

static void begin(struct need need) {
    int value;
#pragma omp atomic read
    value = place[need.where].value;
    // Members of a set may come in any order, and later ones too.
    int most = need.kind == MUTEX ? need.most + TASKS : need.most;
    CHECK(value >= need.least && value <= most, "location %d is %d instead of %d to %d", need.where, value, need.least, most);
    if (need.kind == MUTEX) {
        int inside;
#pragma omp atomic capture
        inside = ++place[need.where].inside;
        CHECK(inside == 1, "%d tasks inside a set", inside);
    }
}

static void end(struct need need) {
    if (need.kind == MUTEX) {
#pragma omp atomic
        place[need.where].inside--;
    }
    if (need.kind != IN) {
#pragma omp atomic
        place[need.where].value++;
    }
}

#define BODY(...)                                                              \
    {                                                                          \
        struct need own[] = {__VA_ARGS__};                                     \
        int count = sizeof own / sizeof own[0];                                \
        for (int i = 0; i < count; i++) begin(own[i]);                         \
        spin_work(50);                                                         \
        for (int i = 0; i < count; i++) end(own[i]);                           \
    }

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int t = 0; t < TASKS; t++) {
        int x = next_random() % LOCATIONS, y = (x + 1 + next_random() % (LOCATIONS - 1)) % LOCATIONS;
        struct need a, b;
        switch (next_random() % 7) {
        case 0:
            a = note(x, IN);
#pragma omp task depend(in : place[x])
            BODY(a)
            break;
        case 1:
            a = note(x, OUT);
#pragma omp task depend(out : place[x]) untied
            {
                // No array: clang 23 misaligns those of untied tasks.
                begin(a);
                spin_work(50);
                end(a);
            }
            break;
        case 2:
            a = note(x, OUT), b = note(y, IN);
#pragma omp task depend(inout : place[x]) depend(in : place[y])
            BODY(a, b)
            break;
        case 3:
            a = note(x, MUTEX);
#pragma omp task depend(mutexinoutset : place[x])
            BODY(a)
            break;
        case 4:
            a = note(x, MUTEX), b = note(y, MUTEX);
#pragma omp task depend(mutexinoutset : place[x], place[y])
            BODY(a, b)
            break;
        case 5:
            a = note(x, IN), b = note(y, MUTEX);
#pragma omp task depend(in : place[x]) depend(mutexinoutset : place[y]) if (t % 5)
            BODY(a, b)
            break;
        default:
            a = note(x, IN), b = note(y, OUT);
            omp_event_handle_t event;
#pragma omp task depend(in : place[x]) depend(out : place[y]) detach(event)
            {
                BODY(a, b)
                omp_fulfill_event(event);
            }
        }
    }
    for (int i = 0; i < LOCATIONS; i++) CHECK_EQ(place[i].value, after[i]);
    return verdict();
}
