// What the timing programs share.

#ifndef TIMING_H
#define TIMING_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <dlfcn.h>
#include <omp.h>
#include <sched.h>
#include <stddef.h>

// Keeps the compiler from dropping or merging a body that does nothing.
#define TOUCH() __asm__ volatile("" ::: "memory")

enum { SIDE_BY_SIDE = 64 }; // larger teams are not waited for

// A kernel may leave a new thread on the CPU of the one that made it for tens of milliseconds. What is asked is the
// cost of a construct between threads that run side by side, so a team that the machine has the CPUs for is waited for
// until it does, a fifth of a second at most.
static void come_apart(int threads) {
    if (threads > omp_get_num_procs() || threads > SIDE_BY_SIDE) return;
    int cpus[SIDE_BY_SIDE], apart = 0;
    for (int i = 0; i < threads; i++) cpus[i] = -1;
    double end = omp_get_wtime() + 0.2;
#pragma omp parallel num_threads(threads)
    while (!__atomic_load_n(&apart, __ATOMIC_RELAXED) && omp_get_wtime() < end) {
        int me = omp_get_thread_num(), pairs = 0;
        __atomic_store_n(&cpus[me], sched_getcpu(), __ATOMIC_RELAXED);
        if (me != 0) continue;
        for (int i = 0; i < threads; i++) {
            int cpu = __atomic_load_n(&cpus[i], __ATOMIC_RELAXED);
            pairs += cpu < 0;
            for (int k = 0; k < i; k++) pairs += cpu == __atomic_load_n(&cpus[k], __ATOMIC_RELAXED);
        }
        if (pairs == 0) __atomic_store_n(&apart, 1, __ATOMIC_RELAXED);
    }
}

static int by_size(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static const char *runtime_file(void) {
    Dl_info info;
    void *at = dlsym(RTLD_DEFAULT, "omp_get_wtime");
    return at != NULL && dladdr(at, &info) != 0 ? info.dli_fname : "unknown";
}

#endif
