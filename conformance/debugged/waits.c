// Threads in every state of waiting. Each says what it is about to wait for; the first thread holds what they wait for and stops
// when all have said so. Whoever looks may have to look again a little later.
#include "said.h"

enum { ROLES = 11 };

static omp_lock_t lock;
static omp_nest_lock_t nest_lock;
static volatile int holds;
static volatile int begun[ROLES];
static int about;

static void wait_as(const char *name, const void *what) {
    struct record *record = speak(name);
    say_all(record);
    say(record, "what", (long)what);
    __atomic_add_fetch(&about, 1, __ATOMIC_SEQ_CST);
}

int main(int count, char **argument) {
    arguments(count, argument);
    omp_set_max_active_levels(3);
    omp_set_dynamic(0);
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    // Some of these threads are idle later.
#pragma omp parallel num_threads(ROLES + 9)
    {
        int last = omp_get_thread_num() == ROLES + 8;
        if (last) speak_all("pool");
    }
#pragma omp parallel num_threads(ROLES)
    switch (omp_get_thread_num()) {
    case 0:
        omp_set_lock(&lock);
        omp_set_nest_lock(&nest_lock);
#pragma omp critical(contended)
        {
            speak_all("holder");
            holds = 1;
            while (__atomic_load_n(&about, __ATOMIC_SEQ_CST) < ROLES - 1) usleep(500);
            here();
            let_go = 1;
        }
        omp_unset_nest_lock(&nest_lock);
        omp_unset_lock(&lock);
        break;
    case 1:
        until(&holds);
        wait_as("lock", &lock);
        omp_set_lock(&lock);
        omp_unset_lock(&lock);
        break;
    case 2:
        until(&holds);
        wait_as("nest lock", &nest_lock);
        omp_set_nest_lock(&nest_lock);
        omp_unset_nest_lock(&nest_lock);
        break;
    case 3:
        until(&holds);
        wait_as("critical", NULL);
#pragma omp critical(contended)
        (void)0;
        break;
    case 4:
#pragma omp parallel num_threads(2)
#pragma omp single
        {
#pragma omp task
            {
                begun[4] = 1;
                until(&let_go);
            }
            until(&begun[4]);
            wait_as("taskwait", NULL);
#pragma omp taskwait
        }
        break;
    case 5:
#pragma omp parallel num_threads(2)
#pragma omp single
#pragma omp taskgroup
        {
#pragma omp task
            {
                begun[5] = 1;
                until(&let_go);
            }
            until(&begun[5]);
            wait_as("taskgroup", NULL);
        }
        break;
    case 6:
#pragma omp parallel num_threads(2)
#pragma omp for ordered schedule(static, 1)
        for (int i = 0; i < 2; i++) {
            if (i == 1) {
                until(&begun[6]);
                wait_as("ordered", NULL);
            }
#pragma omp ordered
            if (i == 0) {
                begun[6] = 1;
                until(&let_go);
            }
        }
        break;
    case 7:
#pragma omp parallel num_threads(2)
        {
            if (omp_get_thread_num() == 0) until(&let_go);
            else wait_as("barrier", NULL);
#pragma omp barrier
        }
        break;
    case 8:
#pragma omp parallel num_threads(2)
        if (omp_get_thread_num() == 0) wait_as("join", NULL);
        else until(&let_go);
        break;
    case 9:
#pragma omp parallel num_threads(2)
        {
#pragma omp for
            for (int i = 0; i < 2; i++)
                if (i == 1) wait_as("loop barrier", NULL);
                else until(&let_go);
            // Otherwise gcc has the region's barrier be the loop's.
            begun[9]++;
        }
        break;
    case 10:
#pragma omp parallel num_threads(2)
#pragma omp for ordered(1) schedule(static, 1)
        for (int i = 0; i < 2; i++) {
            if (i == 1) {
                until(&begun[10]);
                wait_as("doacross", NULL);
            } else {
                begun[10] = 1;
                until(&let_go);
            }
#pragma omp ordered depend(sink : i - 1)
#pragma omp ordered depend(source)
        }
        break;
    }
    return 0;
}
