// Times one OpenMP construct: prints the nanoseconds that one of them takes, how many there were in all, and the file of the
// runtime that served it.
// The runner compiles this once with gcc and once with clang, and runs each on the runtimes to compare.
//
// usage: construct NAME THREADS MILLISECONDS
//        construct NAME THREADS =COUNT    executes so many and times nothing, for counters of instructions

#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Keeps the compiler from dropping or merging a body that does nothing.
#define TOUCH() __asm__ volatile("" ::: "memory")

enum {
    ITERATIONS = 128, // of each timed loop
    TASK_BATCH = 256, // tasks between two taskwaits
    BATCHES = 32,     // at most so many are timed
    FIB = 14,
    SIDE_BY_SIDE = 64, // larger teams are not waited for
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

// A kernel may leave a new thread on the CPU of the one that made it for tens of milliseconds. What is asked is the cost of a
// construct between threads that run side by side, so a team that the machine has the CPUs for is waited for until it does,
// a fifth of a second at most.
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

static long in_all;

static double seconds_of(void (*run)(int, long), int threads, long count) {
    in_all += whole(run, count);
    double start = omp_get_wtime();
    run(threads, count);
    return omp_get_wtime() - start;
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

int main(int argc, char **argv) {
    int threads = argc == 4 ? atoi(argv[2]) : 0;
    long exactly = argc == 4 && argv[3][0] == '=' ? atol(argv[3] + 1) : 0;
    double budget = argc == 4 ? atoi(argv[3]) / 1000.0 : 0.0;
    if (threads < 1 || (budget <= 0.0 && exactly < 1)) {
        fprintf(stderr, "usage: construct NAME THREADS MILLISECONDS, or =COUNT\n");
        return 2;
    }
    void (*run)(int, long) = NULL;
    for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++) {
        if (strcmp(constructs[i].name, argv[1]) == 0) run = constructs[i].run;
    }
    if (run == NULL) {
        fprintf(stderr, "construct: no construct '%s'\n", argv[1]);
        return 2;
    }

    if (exactly > 0) {
        run(threads, exactly);
        printf("0 %ld %s\n", whole(run, exactly), runtime_file());
        return 0;
    }
    come_apart(threads);
    // Batches grow until one takes a tenth of the budget; that also brings the threads up. Then the median of those that fit.
    seconds_of(run, threads, 2 * FIB_TASKS);
    long count = FIB_TASKS;
    double batches[BATCHES] = {seconds_of(run, threads, count)};
    while (batches[0] < budget / 10) {
        count *= 2;
        batches[0] = seconds_of(run, threads, count);
    }
    int done = 1;
    for (double spent = batches[0]; spent < budget && done < BATCHES; done++) {
        batches[done] = seconds_of(run, threads, count);
        spent += batches[done];
    }
    qsort(batches, done, sizeof *batches, by_size);
    double median = batches[done / 2];
    printf("%.3f %ld %s\n", median * 1e9 / whole(run, count), in_all, runtime_file());
    return 0;
}
