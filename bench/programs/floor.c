// The floor of this machine: the nanoseconds that a cache line takes from one CPU to another and back.
// No barrier, lock or fork between two threads can be faster. Prints "0" where there is one CPU only.
//
// usage: floor

#define _GNU_SOURCE
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <time.h>

enum { TRIPS = 200000, BATCHES = 9 };

static _Alignas(128) atomic_long ball;
static int cpus[2];

static void pin(int cpu) {
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(cpu, &set);
    pthread_setaffinity_np(pthread_self(), sizeof set, &set);
}

static void wait_for(long value) {
    while (atomic_load_explicit(&ball, memory_order_acquire) != value) __builtin_ia32_pause();
}

static void *answer(void *unused) {
    (void)unused;
    pin(cpus[1]);
    for (long trip = 0; trip < (long)TRIPS * BATCHES; trip++) {
        wait_for(2 * trip + 1);
        atomic_store_explicit(&ball, 2 * trip + 2, memory_order_release);
    }
    return NULL;
}

int main(void) {
    cpu_set_t allowed;
    int found = 0;
    sched_getaffinity(0, sizeof allowed, &allowed);
    for (int cpu = 0; cpu < CPU_SETSIZE && found < 2; cpu++) {
        if (CPU_ISSET(cpu, &allowed)) cpus[found++] = cpu;
    }
    if (found < 2) {
        printf("0\n");
        return 0;
    }
    pthread_t other;
    if (pthread_create(&other, NULL, answer, NULL) != 0) return 1;
    pin(cpus[0]);
    double best = 1e9;
    for (long batch = 0, trip = 0; batch < BATCHES; batch++) {
        struct timespec start, end;
        clock_gettime(CLOCK_MONOTONIC, &start);
        for (long i = 0; i < TRIPS; i++, trip++) {
            atomic_store_explicit(&ball, 2 * trip + 1, memory_order_release);
            wait_for(2 * trip + 2);
        }
        clock_gettime(CLOCK_MONOTONIC, &end);
        double nanoseconds = (end.tv_sec - start.tv_sec) * 1e9 + (end.tv_nsec - start.tv_nsec);
        if (nanoseconds / TRIPS < best) best = nanoseconds / TRIPS;
    }
    pthread_join(other, NULL);
    printf("%.1f\n", best);
    return 0;
}
