// Tasks of a league's initial tasks that complete when a foreign thread fulfils their events: the end of the league waits for them,
// and so does a taskwait in a team that comes after on the same thread. OpenMP 5.1, 2.7, 2.12.1 (detach clause)
//@ libs: pthread
//@ needs: gcc 11
#include <pthread.h>
#include <unistd.h>

#include "check.h"

enum { TEAMS = 6 };
static omp_event_handle_t events[TEAMS];
static int begun[TEAMS], fulfilled;

static void *fulfil(void *unused) {
    (void)unused;
    for (int done = 0; done < TEAMS;) {
        usleep(500);
        for (int team = 0; team < TEAMS; team++) {
            if (__atomic_load_n(&begun[team], __ATOMIC_ACQUIRE) != 1) continue;
            begun[team] = 2;
            done++;
            __atomic_fetch_add(&fulfilled, 1, __ATOMIC_RELAXED);
            omp_fulfill_event(events[team]);
        }
    }
    return NULL;
}

int main(void) {
    for (int round = 0; round < 5; round++) {
        pthread_t thread;
        fulfilled = 0;
        for (int team = 0; team < TEAMS; team++) begun[team] = 0;
        pthread_create(&thread, NULL, fulfil, NULL);
#pragma omp teams num_teams(TEAMS) thread_limit(2)
#pragma omp distribute dist_schedule(static, 1)
        for (int team = 0; team < TEAMS; team++) {
            int child = 0;
            omp_event_handle_t event;
#pragma omp task detach(event)
            {
                events[team] = event;
                __atomic_store_n(&begun[team], 1, __ATOMIC_RELEASE);
            }
            if (team < 3) {
#pragma omp task shared(child)
                child = 1;
#pragma omp taskwait
                CHECK_EQ(child, 1);
            }
        }
        CHECK_EQ(fulfilled, TEAMS);
        pthread_join(thread, NULL);
    }
    return verdict();
}
