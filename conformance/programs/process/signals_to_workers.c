// Signals sent to each thread of a team while it waits at a barrier, asleep by then: the handlers run on those threads, may ask
// for their numbers, and the barrier still ends only when all have arrived. OpenMP 5.1, 2.6
//@ env: OMP_WAIT_POLICY=passive
//@ threads: 2 3 8
#include <pthread.h>
#include <signal.h>
#include <unistd.h>

#include "check.h"

static int handled[64];

static void handler(int number) {
    (void)number;
    __atomic_fetch_add(&handled[omp_get_thread_num()], 1, __ATOMIC_RELAXED);
}

int main(void) {
    struct sigaction action = {.sa_handler = handler};
    pthread_t threads[64];
    int arrived = 0, want = omp_get_max_threads();
    sigaction(SIGUSR1, &action, NULL);
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        threads[me] = pthread_self();
#pragma omp barrier
        if (me == 0) {
            for (int round = 0; round < 5; round++) {
                usleep(2000);
                for (int other = 1; other < want; other++) CHECK_EQ(pthread_kill(threads[other], SIGUSR1), 0);
            }
            for (int other = 1; other < want; other++)
                while (!__atomic_load_n(&handled[other], __ATOMIC_RELAXED)) usleep(100);
#pragma omp atomic write
            arrived = 1;
        }
#pragma omp barrier
        int seen;
#pragma omp atomic read
        seen = arrived;
        CHECK_EQ(seen, 1);
    }
    return verdict();
}
