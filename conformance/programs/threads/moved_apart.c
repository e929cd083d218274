// Two threads that begin on one processor and may use others come to run on two, their affinity masks stay what they were, and a thread
// that the program has bound stays where it is. Threads notice that they share a processor while they wait awake, so
// OMP_WAIT_POLICY=passive would leave them to the kernel. OpenMP 5.1, 2.6
//@ threads: 2
//@ stock-fails: gcc because it leaves them to the kernel, which may take its time
//@ stock-fails: clang because it leaves them to the kernel, which may take its time
#include "../affinity/bound.h"

#include <time.h>

static int first_cpu(void) {
    cpu_set_t mask = own_mask();
    for (int cpu = 0; cpu < CPU_SETSIZE; cpu++) {
        if (CPU_ISSET(cpu, &mask)) return cpu;
    }
    return 0;
}

static void go_to(int cpu) {
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    CHECK_EQ(sched_setaffinity(0, sizeof one, &one), 0);
}

// Whether the threads of the region are seen on different processors before long.
static int come_apart(void) {
    // Volatile: clang keeps a static variable in a register across barriers if its address is nowhere taken.
    static volatile int cpus[2], apart, over;
    time_t end = time(NULL) + 15;
#pragma omp single
    apart = over = 0;
    while (!over) {
        for (int i = 0; i < 20; i++) {
#pragma omp barrier
        }
        cpus[omp_get_thread_num()] = sched_getcpu();
#pragma omp barrier
#pragma omp master
        {
            apart = cpus[0] != cpus[1];
            over = apart || time(NULL) > end;
        }
#pragma omp barrier
    }
    return apart;
}

int main(void) {
    // The runtime is to know of all processors.
    CHECK_EQ(omp_get_max_threads(), 2);
    cpu_set_t all = own_mask();
    int here = first_cpu();
    if (CPU_COUNT(&all) < 2) return verdict();

    go_to(here);
#pragma omp parallel num_threads(2)
    {
        CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
        CHECK(come_apart(), "thread %d shares a processor", omp_get_thread_num());
        cpu_set_t own = own_mask();
        CHECK(CPU_EQUAL(&own, &all), "thread %d may run elsewhere than before", omp_get_thread_num());
    }

#pragma omp parallel num_threads(2)
    {
        go_to(here);
        for (int i = 0; i < 40; i++) {
#pragma omp barrier
        }
        CHECK_EQ(sched_getcpu(), here);
        cpu_set_t own = own_mask();
        CHECK_EQ(CPU_COUNT(&own), 1);
        CHECK_EQ(sched_setaffinity(0, sizeof all, &all), 0);
    }
    return verdict();
}
