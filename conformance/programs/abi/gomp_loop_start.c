// GOMP_loop_start, GOMP_loop_ordered_start and their ull forms: the schedule as an argument, with the monotonic bit and as run-sched-var has
// it; shared zeroed memory; a null first chunk. OpenMP 5.1, 2.11.4; libgomp's interface
//@ compilers: gcc
#include <stdbool.h>

#include "check.h"

typedef unsigned long long ull;
bool GOMP_loop_start(long, long, long, long, long, long *, long *, unsigned long *, void **);
bool GOMP_loop_ordered_start(long, long, long, long, long, long *, long *, unsigned long *, void **);
bool GOMP_loop_ull_start(bool, ull, ull, ull, long, ull, ull *, ull *, unsigned long *, void **);
bool GOMP_loop_ull_ordered_start(bool, ull, ull, ull, long, ull, ull *, ull *, unsigned long *, void **);
bool GOMP_loop_runtime_next(long *, long *);
bool GOMP_loop_ull_runtime_next(ull *, ull *);
bool GOMP_loop_ordered_runtime_next(long *, long *);
bool GOMP_loop_ull_ordered_runtime_next(ull *, ull *);
void GOMP_ordered_start(void);
void GOMP_ordered_end(void);
void GOMP_loop_end(void);

enum { N = 77, SIZE = 500 };

static int hits[N], next, *counter;

static void done(const char *what, long sched, int expect_order) {
#pragma omp single
    {
        for (int k = 0; k < N; k++) {
            CHECK(hits[k] == 1, "%s, schedule %lx: %d ran %d times", what, sched, k, hits[k]);
            hits[k] = 0;
        }
        if (expect_order) CHECK_EQ(next, N);
        next = 0;
        counter = 0;
    }
}

static void in_order(int k) {
    GOMP_ordered_start();
    CHECK(next == k, "%d instead of %d", k, next);
    next = k + 1;
    GOMP_ordered_end();
}

// The memory is zeroed, and the same for all.
static void use_memory(void *memory) {
    int *ints = memory;
    CHECK(ints != 0, "no memory");
    CHECK_EQ(ints[SIZE / 4 - 1], 0);
    int *expected = 0;
    if (!__atomic_compare_exchange_n(&counter, &expected, ints, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) CHECK(expected == ints, "not the same memory");
    __atomic_fetch_add(ints, 1, __ATOMIC_RELAXED);
    CHECK(*ints <= omp_get_num_threads(), "%d threads", *ints);
}

int main(void) {
    static const long scheds[] = {0, 1, 2, 3, 4, 0x80000000l, 0x80000000l | 1, 0x80000000l | 2, 0x80000000l | 3};
    for (int s = 0; s < 9; s++) {
        long sched = scheds[s];
        for (int chunk = 1; chunk < 10; chunk += 4) {
            omp_set_schedule(s % 2 ? omp_sched_dynamic : omp_sched_guided, chunk);
#pragma omp parallel
            {
                long low, high;
                ull first, past;
                bool more;
                int before = -1;
                void *memory = (void *)SIZE;
                more = GOMP_loop_start(0, N, 1, sched, chunk, &low, &high, 0, &memory);
                use_memory(memory);
                for (; more; more = GOMP_loop_runtime_next(&low, &high))
                    for (long i = low; i < high; i++) {
                        __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
                        if (sched & 0x80000000l) CHECK(i > before, "schedule %lx: %ld after %d", sched, i, before);
                        before = (int)i;
                    }
                GOMP_loop_end();
                done("loop", sched, 0);
                memory = (void *)SIZE;
                more = GOMP_loop_ull_start(false, 3 * N, 0, -3ull, sched, (ull)chunk, &first, &past, 0, &memory);
                use_memory(memory);
                for (; more; more = GOMP_loop_ull_runtime_next(&first, &past))
                    for (ull i = first; i > past; i -= 3) __atomic_fetch_add(&hits[i / 3 - 1], 1, __ATOMIC_RELAXED);
                GOMP_loop_end();
                done("ull", sched, 0);
                memory = (void *)SIZE;
                more = GOMP_loop_ordered_start(N - 1, -1, -1, sched, chunk, &low, &high, 0, &memory);
                use_memory(memory);
                for (; more; more = GOMP_loop_ordered_runtime_next(&low, &high))
                    for (long i = low; i > high; i--) {
                        __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
                        in_order((int)(N - 1 - i));
                    }
                GOMP_loop_end();
                done("ordered", sched, 1);
                for (more = GOMP_loop_ull_ordered_start(true, 0, N, 1, sched, (ull)chunk, &first, &past, 0, 0); more;
                     more = GOMP_loop_ull_ordered_runtime_next(&first, &past))
                    for (ull i = first; i < past; i++) {
                        __atomic_fetch_add(&hits[i], 1, __ATOMIC_RELAXED);
                        if (i % 2 == 0) {
                            GOMP_ordered_start();
                            CHECK(next == (int)i, "ull: %d instead of %d", (int)i, next);
                            next = (int)i + 2;
                            GOMP_ordered_end();
                        }
                    }
                GOMP_loop_end();
#pragma omp single
                next = N;
                done("ull ordered", sched, 1);
            }
        }
    }
    return verdict();
}
