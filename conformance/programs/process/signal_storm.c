// A timer interrupts every wait of the runtime, thousands of times a second, on whichever thread: barriers, locks, critical
// sections, tasks and ordered loops come out right. OpenMP 5.1, 2.6
//@ timeout: 90
#include <signal.h>
#include <sys/time.h>

#include "check.h"

static int signals;

static void handler(int number) {
    (void)number;
    __atomic_fetch_add(&signals, 1, __ATOMIC_RELAXED);
}

int main(void) {
    struct sigaction action = {.sa_handler = handler};
    struct itimerval often = {{0, 300}, {0, 300}}, never = {{0, 0}, {0, 0}};
    int counted = 0, locked = 0, tasks = 0, last = -1, want = omp_get_max_threads();
    omp_lock_t lock;
    omp_init_lock(&lock);
    // Without SA_RESTART: system calls fail with EINTR.
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &often, NULL);
    for (int round = 0; round < 20; round++) {
#pragma omp parallel
        {
#pragma omp critical
            counted++;
#pragma omp barrier
            omp_set_lock(&lock);
            locked++;
            omp_unset_lock(&lock);
#pragma omp single
            for (int i = 0; i < 20; i++) {
#pragma omp task
                {
                    spin_work(100);
#pragma omp atomic
                    tasks++;
                }
            }
#pragma omp for ordered schedule(dynamic)
            for (int i = 0; i < 20; i++) {
#pragma omp ordered
                {
                    CHECK_EQ(i, (last + 1) % 20);
                    last = i;
                }
            }
        }
    }
    while (!__atomic_load_n(&signals, __ATOMIC_RELAXED)) spin_work(100);
    setitimer(ITIMER_REAL, &never, NULL);
    CHECK_EQ(counted, 20 * want);
    CHECK_EQ(locked, 20 * want);
    CHECK_EQ(tasks, 400);
    return verdict();
}
