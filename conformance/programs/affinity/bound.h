// What the programs about binding share: the CPUs of the calling thread and of places.
#ifndef AFFINITY_BOUND_H
#define AFFINITY_BOUND_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <sched.h>
#include <string.h>
#include <unistd.h>

#include "check.h"

// The CPUs that the calling thread may run on.
static inline cpu_set_t own_mask(void) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    CHECK_EQ(sched_getaffinity(0, sizeof mask, &mask), 0);
    return mask;
}

// The CPUs of a place.
static inline cpu_set_t place_mask(int place) {
    cpu_set_t mask;
    CPU_ZERO(&mask);
    int count = omp_get_place_num_procs(place), ids[1024];
    CHECK(count >= 1 && count <= 1024, "place %d has %d processors", place, count);
    omp_get_place_proc_ids(place, ids);
    for (int i = 0; i < count; i++) CPU_SET(ids[i], &mask);
    return mask;
}

// The calling thread is at a place and runs on that place's CPUs alone.
static inline void check_at(int place) {
    CHECK_EQ(omp_get_place_num(), place);
    cpu_set_t own = own_mask(), expected = place_mask(place);
    CHECK(CPU_EQUAL(&own, &expected), "thread %d runs elsewhere than at place %d", omp_get_thread_num(), place);
}

// No place holds more or fewer threads than any even distribution has, and consecutive threads share a place or go to the next.
static inline void check_even(const int *at, int threads, int places, int primary) {
    int load[64] = {0};
    CHECK_EQ(at[0], primary);
    for (int i = 0; i < threads; i++) {
        CHECK(at[i] >= 0 && at[i] < places, "thread %d is at place %d", i, at[i]);
        load[at[i]]++;
        if (i > 0) CHECK(at[i] == at[i - 1] || at[i] == (at[i - 1] + 1) % places, "thread %d is at %d after %d", i, at[i], at[i - 1]);
    }
    for (int p = 0; p < places && threads >= places; p++)
        CHECK(load[p] >= threads / places && load[p] <= (threads + places - 1) / places, "place %d has %d threads", p, load[p]);
}

#endif
