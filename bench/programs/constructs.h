// The constructs that are timed: each function executes one of them `count` times in a team of `threads`.

#ifndef CONSTRUCTS_H
#define CONSTRUCTS_H

#include "timing.h"
#include <stdio.h>
#include <stdlib.h>

enum {
    ITERATIONS = 128, // of each timed loop
    TASK_BATCH = 256, // tasks between two taskwaits
    BATCHES = 32,     // at most so many are timed
    FIB = 14,
    FIB_TASKS = 2 * 609 // fib(FIB) spawns two tasks in each of its calls with n > 1
};

static void parallel(int threads, long count) {
    for (long i = 0; i < count; i++) {
#pragma omp parallel num_threads(threads)
        TOUCH();
    }
}

static void parallel_reduction(int threads, long count) {
    long sum = 0;
    for (long i = 0; i < count; i++) {
#pragma omp parallel num_threads(threads) reduction(+ : sum)
        sum += 1;
    }
    if (sum != count * threads) {
        fprintf(stderr, "construct: reduction gave %ld, not %ld\n", sum, count * threads);
        exit(1);
    }
}

static void for_static(int threads, long count) {
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; i++) {
#pragma omp for schedule(static)
        for (int k = 0; k < ITERATIONS; k++) TOUCH();
    }
}

static void for_dynamic(int threads, long count) {
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; i++) {
#pragma omp for schedule(dynamic)
        for (int k = 0; k < ITERATIONS; k++) TOUCH();
    }
}

static void for_guided(int threads, long count) {
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; i++) {
#pragma omp for schedule(guided)
        for (int k = 0; k < ITERATIONS; k++) TOUCH();
    }
}

static void barrier(int threads, long count) {
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; i++) {
#pragma omp barrier
    }
}

static void single(int threads, long count) {
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; i++) {
#pragma omp single
        TOUCH();
    }
}

// The threads share the count, so the time of one is the time between two of them, whoever runs it.
static void critical(int threads, long count) {
    long share = (count + threads - 1) / threads;
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < share; i++) {
#pragma omp critical(timed)
        TOUCH();
    }
}

static void lock(int threads, long count) {
    long share = (count + threads - 1) / threads;
    omp_lock_t shared;
    omp_init_lock(&shared);
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < share; i++) {
        omp_set_lock(&shared);
        TOUCH();
        omp_unset_lock(&shared);
    }
    omp_destroy_lock(&shared);
}

// One thread creates, the team runs.
static void task(int threads, long count) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long i = 0; i < count; i += TASK_BATCH) {
        for (int k = 0; k < TASK_BATCH; k++) {
#pragma omp task
            TOUCH();
        }
#pragma omp taskwait
    }
}

static void sections(int threads, long count) {
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; i++) {
#pragma omp sections
        {
#pragma omp section
            TOUCH();
#pragma omp section
            TOUCH();
        }
    }
}

static void ordered(int threads, long count) {
#pragma omp parallel num_threads(threads)
#pragma omp for ordered schedule(static, 1)
    for (long i = 0; i < count; i++) {
#pragma omp ordered
        TOUCH();
    }
}

static void nest_lock(int threads, long count) {
    long share = (count + threads - 1) / threads;
    omp_nest_lock_t shared;
    omp_init_nest_lock(&shared);
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < share; i++) {
        omp_set_nest_lock(&shared);
        TOUCH();
        omp_unset_nest_lock(&shared);
    }
    omp_destroy_nest_lock(&shared);
}

static void taskgroup(int threads, long count) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp taskgroup
        {
#pragma omp task
            TOUCH();
        }
    }
}

static void undeferred(int threads, long count) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp task if (0)
        TOUCH();
    }
}

// A chain of tasks.
static void depend(int threads, long count) {
    int link = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long i = 0; i < count; i += TASK_BATCH) {
        for (int k = 0; k < TASK_BATCH; k++) {
#pragma omp task depend(inout : link) shared(link)
            TOUCH();
        }
#pragma omp taskwait
    }
}

static void taskloop(int threads, long count) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long i = 0; i < count; i++) {
#pragma omp taskloop grainsize(1)
        for (int k = 0; k < 8; k++) TOUCH();
    }
}

static long fib(int n) {
    if (n < 2) return n;
    long a, b;
#pragma omp task shared(a)
    a = fib(n - 1);
#pragma omp task shared(b)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void task_tree(int threads, long count) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long i = 0; i < count; i += FIB_TASKS) {
        if (fib(FIB) != 377) {
            fprintf(stderr, "construct: fib(%d) is wrong\n", FIB);
            exit(1);
        }
    }
}

static const struct {
    const char *name;
    void (*run)(int threads, long count);
} constructs[] = {
    {"parallel", parallel},     {"reduction", parallel_reduction}, {"for-static", for_static}, {"for-dynamic", for_dynamic},
    {"for-guided", for_guided}, {"barrier", barrier},              {"single", single},         {"critical", critical},
    {"lock", lock},             {"task", task},                    {"task-tree", task_tree},   {"sections", sections},
    {"ordered", ordered},       {"nest-lock", nest_lock},          {"taskgroup", taskgroup},   {"undeferred", undeferred},
    {"depend", depend},         {"taskloop", taskloop},
};

// The task constructs round a count up to whole batches.
static long whole(void (*run)(int, long), long count) {
    if (run == task || run == depend) return (count + TASK_BATCH - 1) / TASK_BATCH * TASK_BATCH;
    if (run == task_tree) return (count + FIB_TASKS - 1) / FIB_TASKS * FIB_TASKS;
    return count;
}

#endif
