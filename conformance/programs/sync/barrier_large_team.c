// Teams of more than eight threads with a CPU for each, as far as the runtime is told: their barriers count in a tree.
// OpenMP 5.1, 2.19.2
//@ stock-fails: gcc because libgomp asks for the CPUs of the process in another way
//@ stock-fails: clang because libomp asks for the CPUs of the process in another way
//@ env: OMP_WAIT_POLICY=passive
//@ flags: -rdynamic
//@ threads: 1
#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>

#include "check.h"

enum { MOST = 64, PHASES = 20 };

static int phase_of[MOST];

// In place of the C library's: the process may use 64 CPUs.
int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
    (void)process;
    CPU_ZERO_S(size, set);
    for (int cpu = 0; cpu < MOST; cpu++) CPU_SET_S(cpu, size, set);
    return 0;
}

// Every member finds after each barrier that no other is behind. Returns how often one was.
static int behind(int threads) {
    int late = 0;
#pragma omp parallel num_threads(threads) reduction(+ : late)
    {
        int me = omp_get_thread_num();
        for (int phase = 1; phase <= PHASES; phase++) {
            phase_of[me] = phase;
#pragma omp barrier
            for (int other = 0; other < threads; other++) late += phase_of[other] < phase;
#pragma omp barrier
        }
        phase_of[me] = 0;
    }
    return late;
}

// What constructs with a barrier of their own leave behind.
static long constructs(int threads) {
    long sum = 0, singles = 0, tasks = 0;
#pragma omp parallel num_threads(threads) reduction(+ : sum)
    {
#pragma omp for schedule(dynamic, 1)
        for (int i = 0; i < 100; i++) sum += i;
#pragma omp single
        for (int i = 0; i < 20; i++) {
#pragma omp task
#pragma omp atomic
            tasks++;
        }
        // The tasks are complete behind the barrier.
#pragma omp single
        singles = tasks;
    }
    return sum + singles;
}

int main(void) {
    CHECK_EQ(omp_get_num_procs(), MOST);
    // Teams of one, two and three levels, which follow each other in the same threads.
    static const int sizes[] = {9, 64, 8, 16, 17, 3, 33, 64};
    for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        int late = behind(sizes[i]);
        CHECK(late == 0, "%d threads: %d were behind", sizes[i], late);
        CHECK_EQ(constructs(sizes[i]), 4950 + 20);
    }
    return verdict();
}
