// Times a situation that a table of constructs does not show, such as a region after a serial gap. Prints what was
// measured, how many executions there were, and the file of the runtime that served them.
// `constructs.h` has the constructs; they may be named here as well.
//
// usage: situation [cpus N] [mean] NAME THREADS MILLISECONDS [NUMBER [NUMBER]]
//   cpus N   uses the first N CPUs; prints `skipped: WHY` if there are fewer
//   mean     prints the mean of all executions instead of the median of batches

#include "constructs.h"
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
    LOOKS = 1000000, // at a flag, before a thread of the crowd sleeps
    FOREIGN = 4,     // threads that OpenMP did not make
    CUT_OFF = 6,     // depth of the tree at which tasks end
    NUMBER = 18,     // of Fibonacci, below
    COLUMNS = 16,    // of tasks with dependences
    ROOT = 64,       // children of the unbalanced tree's root
    CHILDREN = 8,    // of an inner node
    SEED = 39000,    // of the unbalanced tree
    NODES = 4353,    // that it has
    GAPS = 4096,     // at most so many are timed
    UNTIMED = 3      // gaps at first
};

// The numbers behind the milliseconds.
static long numbers[2];
// When the batch began, if not at its call.
static double began;

static void wrong(const char *what, long got, long expected) {
    if (got == expected) return;
    fprintf(stderr, "situation: %s gave %ld, not %ld\n", what, got, expected);
    exit(1);
}

static double seconds(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec + time.tv_nsec / 1e9;
}

// Not `omp_get_wtime`, which counts microseconds on one of the runtimes.
static double now(void) {
    return seconds(CLOCK_MONOTONIC);
}

// A team larger than the CPUs: threads spin in the program until the primary says go.
static void crowd(int threads, long count) {
    long flag = 0;
#pragma omp parallel num_threads(threads)
    for (long round = 1; round <= count; round++) {
        if (omp_get_thread_num() == 0) {
            __atomic_store_n(&flag, round, __ATOMIC_RELEASE);
        } else {
            for (long look = 0; __atomic_load_n(&flag, __ATOMIC_ACQUIRE) != round; look++) {
                if (look >= LOOKS) usleep(10);
            }
        }
#pragma omp barrier
#pragma omp barrier
    }
}

static void nested(int threads, long count) {
    omp_set_max_active_levels(2);
    for (long i = 0; i < count; i++) {
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(threads / 2)
        TOUCH();
    }
}

static struct {
    pthread_barrier_t ready;
    int threads;
    long count;
} shared_by_foreign;

static void *foreign_thread(void *unused) {
    (void)unused;
    parallel(shared_by_foreign.threads, 1);
    pthread_barrier_wait(&shared_by_foreign.ready);
    parallel(shared_by_foreign.threads, shared_by_foreign.count);
    return NULL;
}

// Threads that OpenMP did not make have a region each, at the same time.
static void foreign(int threads, long count) {
    pthread_t all[FOREIGN];
    shared_by_foreign.threads = threads;
    shared_by_foreign.count = count;
    pthread_barrier_init(&shared_by_foreign.ready, NULL, FOREIGN + 1);
    for (int i = 0; i < FOREIGN; i++) {
        if (pthread_create(&all[i], NULL, foreign_thread, NULL) != 0) {
            fprintf(stderr, "situation: no thread\n");
            exit(1);
        }
    }
    pthread_barrier_wait(&shared_by_foreign.ready);
    began = now();
    for (int i = 0; i < FOREIGN; i++) pthread_join(all[i], NULL);
    pthread_barrier_destroy(&shared_by_foreign.ready);
}

// A league, and a loop with tiny bodies.
static void teams(int threads, long count) {
    for (long i = 0; i < count; i++) {
#pragma omp teams num_teams(threads) thread_limit(1)
#pragma omp distribute
        for (int k = 0; k < ITERATIONS; k++) TOUCH();
    }
}

static void teams_for(int threads, long count) {
    for (long i = 0; i < count; i++) {
#pragma omp teams num_teams(2) thread_limit(threads / 2)
#pragma omp distribute parallel for num_threads(threads / 2)
        for (int k = 0; k < ITERATIONS; k++) TOUCH();
    }
}

static void doacross(int threads, long count) {
#pragma omp parallel num_threads(threads)
#pragma omp for ordered(1) schedule(static, 1)
    for (long i = 0; i < count; i++) {
#pragma omp ordered depend(sink : i - 1)
        TOUCH();
#pragma omp ordered depend(source)
    }
}

// Each task needs its neighbours of the row before.
static void stencil(int threads, long count) {
    char cells[2][COLUMNS + 2];
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long i = 0; i < count; i += 2 * COLUMNS) {
        for (int row = 0; row < 2; row++) {
            char *from = cells[row], *to = cells[1 - row];
            for (int k = 1; k <= COLUMNS; k++) {
#pragma omp task depend(in : from[k - 1], from[k], from[k + 1]) depend(out : to[k])
                __asm__ volatile("" ::"r"(from), "r"(to) : "memory");
            }
        }
    }
}

static long fib_if(int n, int depth) {
    if (n < 2) return n;
    long a, b;
#pragma omp task shared(a) if (depth < CUT_OFF)
    a = fib_if(n - 1, depth + 1);
#pragma omp task shared(b) if (depth < CUT_OFF)
    b = fib_if(n - 2, depth + 1);
#pragma omp taskwait
    return a + b;
}

static long fib_final(int n, int depth) {
    if (n < 2) return n;
    long a, b;
#pragma omp task shared(a) final(depth >= CUT_OFF)
    a = fib_final(n - 1, depth + 1);
#pragma omp task shared(b) final(depth >= CUT_OFF)
    b = fib_final(n - 2, depth + 1);
#pragma omp taskwait
    return a + b;
}

static void tree_if(int threads, long count) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long i = 0; i < count; i++) wrong("fib with if", fib_if(NUMBER, 0), 2584);
}

static void tree_final(int threads, long count) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long i = 0; i < count; i++) wrong("fib with final", fib_final(NUMBER, 0), 2584);
}

// Some work, and a number that looks like chance.
static unsigned long mixed(unsigned long state) {
    for (int i = 0; i < 24; i++) {
        state += 0x9e3779b97f4a7c15;
        state = (state ^ (state >> 30)) * 0xbf58476d1ce4e5b9;
        state = (state ^ (state >> 27)) * 0x94d049bb133111eb;
        state ^= state >> 31;
    }
    return state;
}

// How many nodes there are below this one, itself included. Whether it has children is chance, 120 of 1000 have.
static long nodes(unsigned long state, int is_root) {
    int children = is_root ? ROOT : state % 1000 < 120 ? CHILDREN : 0;
    long below[ROOT], sum = 1;
    for (int k = 0; k < children; k++) {
#pragma omp task shared(below) firstprivate(k)
        below[k] = nodes(mixed(state + k + 1), 0);
    }
#pragma omp taskwait
    for (int k = 0; k < children; k++) sum += below[k];
    return sum;
}

static void unbalanced(int threads, long count) {
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (long i = 0; i < count; i++) wrong("the unbalanced tree", nodes(SEED, 1), NODES);
}

// Regions with an array in a clause.
#define PRAGMA(...) _Pragma(#__VA_ARGS__)
#define REGION(NAME, ARRAY, ...)                                                                                       \
    static void NAME(int threads, long count) {                                                                        \
        for (long i = 0; i < count; i++) {                                                                             \
            PRAGMA(omp parallel num_threads(threads) __VA_ARGS__)                                                      \
            __asm__ volatile("" ::"r"(ARRAY) : "memory");                                                              \
        }                                                                                                              \
    }
#define ARRAY(SIZE)                                                                                                    \
    static double array_##SIZE[SIZE];                                                                                  \
    REGION(sum_##SIZE, array_##SIZE, reduction(+ : array_##SIZE))                                                      \
    REGION(copied_##SIZE, array_##SIZE, firstprivate(array_##SIZE))                                                    \
    REGION(own_##SIZE, array_##SIZE, private(array_##SIZE))
ARRAY(1)
ARRAY(729)
ARRAY(59049)

// Work of `numbers[0]` nanoseconds, in turns of a loop.
static long turns;

static __attribute__((noinline)) void work(void) {
    for (long i = 0; i < turns; i++) TOUCH();
}

static void work_barrier(int threads, long count) {
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; i++) {
        work();
#pragma omp barrier
    }
}

static void work_for(int threads, long count) {
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; i++) {
        work();
#pragma omp for schedule(static)
        for (int k = 0; k < ITERATIONS; k++) TOUCH();
    }
}

static void work_reduction(int threads, long count) {
    long sum = 0;
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; i++) {
        work();
#pragma omp for schedule(static) reduction(+ : sum)
        for (int k = 0; k < threads; k++) sum++;
    }
    wrong("reduction", sum, count * threads);
}

// Without a construct. What is left of the time belongs to the construct.
static void work_alone(int threads, long count) {
#pragma omp parallel num_threads(threads)
    for (long i = 0; i < count; i++) work();
}

// Finds out how many turns are asked for.
static void calibrate(void) {
    enum { LONG = 1000000, TRIES = 9 };
    double times[TRIES];
    turns = LONG;
    for (int i = 0; i < TRIES; i++) {
        double start = now();
        work();
        times[i] = now() - start;
    }
    qsort(times, TRIES, sizeof *times, by_size);
    turns = numbers[0] * 1e-9 / (times[TRIES / 2] / LONG);
}

static const struct {
    const char *name;
    void (*run)(int threads, long count);
} situations[] = {
    {"crowd", crowd},           {"nested", nested},         {"foreign", foreign},       {"teams", teams},
    {"teams-for", teams_for},   {"doacross", doacross},     {"stencil", stencil},       {"tree-if", tree_if},
    {"tree-final", tree_final}, {"unbalanced", unbalanced}, {"sum-1", sum_1},           {"sum-729", sum_729},
    {"sum-59049", sum_59049},   {"copied-1", copied_1},     {"copied-729", copied_729}, {"copied-59049", copied_59049},
    {"own-1", own_1},           {"own-729", own_729},       {"own-59049", own_59049},   {"work-barrier", work_barrier},
    {"work-for", work_for},     {"work-reduction", work_reduction},
};

// What is printed.
struct result {
    double value;
    long count;
};

static long in_all;

static double seconds_of(void (*run)(int, long), int threads, long count) {
    in_all += count;
    began = now();
    run(threads, count);
    return now() - began;
}

// Batches grow until one takes a tenth of the time, then as many are timed as fit. For a mean and beside work,
// a batch is shorter. For a mean, a batch that was held up does not end the growth.
static struct result timed(void (*run)(int, long), int threads, double budget, int is_mean) {
    double enough = budget / (is_mean || turns > 0 ? BATCHES : 10), batches[BATCHES];
    if (!is_mean) come_apart(threads);
    seconds_of(run, threads, whole(run, 1));
    long count = whole(run, 1);
    for (int tries = 0; tries < (is_mean ? 3 : 1); tries++) {
        batches[0] = seconds_of(run, threads, count);
        if (batches[0] >= enough) continue;
        count *= 2;
        tries = -1;
    }
    int done = 1;
    double spent = batches[0];
    if (turns > 0) batches[0] -= seconds_of(work_alone, threads, count);
    for (; spent < budget && done < BATCHES; done++) {
        batches[done] = seconds_of(run, threads, count);
        spent += batches[done];
        if (turns > 0) batches[done] -= seconds_of(work_alone, threads, count);
    }
    qsort(batches, done, sizeof *batches, by_size);
    double one = (is_mean ? spent / done : batches[done / 2]) / count;
    return (struct result){(one > 1e-9 ? one : 1e-9) * 1e9, in_all};
}

static void serial(double until) {
    while (now() < until) TOUCH();
}

// Regions after serial work of `numbers[0]` microseconds, give or take `numbers[1]` percent: the median time of a
// region. Prints the CPU time of the process in a second on stderr.
static struct result gap(int threads, double budget) {
    static double times[GAPS];
    double length = numbers[0] / 1e6, wall = 0, cpu = 0;
    long count = budget / length < UNTIMED ? UNTIMED : budget / length > GAPS ? GAPS : budget / length;
    unsigned long chance = 1;
    come_apart(threads);
    for (long i = -UNTIMED; i < count; i++) {
        if (i == 0) {
            wall = now();
            cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
        }
        chance = mixed(chance);
        double off = (chance % 2001 / 1000.0 - 1) * numbers[1] / 100;
        serial(now() + length * (1 + off));
        double start = now();
        parallel(threads, 1);
        if (i >= 0) times[i] = now() - start;
    }
    wall = now() - wall;
    cpu = seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu;
    fprintf(stderr, "cpu: %.6f\n", cpu / wall);
    qsort(times, count, sizeof *times, by_size);
    return (struct result){times[count / 2] * 1e9, count};
}

// The CPU time that other threads than the primary take in the time after a region, in seconds a second.
static struct result idle(int threads, double budget) {
    come_apart(threads);
    parallel(threads, 1);
    double wall = now();
    double others = seconds(CLOCK_PROCESS_CPUTIME_ID) - seconds(CLOCK_THREAD_CPUTIME_ID);
    serial(wall + budget);
    others = seconds(CLOCK_PROCESS_CPUTIME_ID) - seconds(CLOCK_THREAD_CPUTIME_ID) - others;
    return (struct result){others / (now() - wall), 1};
}

// Bytes of memory at most, after a region.
static struct result memory(int threads) {
    parallel(threads, 1);
    FILE *status = fopen("/proc/self/status", "r");
    char line[256];
    long kib = -1;
    while (status != NULL && fgets(line, sizeof line, status) != NULL) {
        if (sscanf(line, "VmHWM: %ld", &kib) == 1) break;
    }
    if (kib < 0) {
        fprintf(stderr, "situation: /proc/self/status: no VmHWM\n");
        exit(1);
    }
    return (struct result){kib * 1024.0, 1};
}

// The mean time of a process that has one region, from its start to its end.
static struct result start(char *threads, double budget) {
    extern char **environ;
    double begin = now(), spent = 0;
    long done = 0;
    for (; done < 3 || spent < budget; done++, spent = now() - begin) {
        char *words[] = {"situation", "once", threads, "1", NULL};
        pid_t child;
        int status, failed = posix_spawn(&child, "/proc/self/exe", NULL, NULL, words, environ);
        if (failed || waitpid(child, &status, 0) != child || status != 0) {
            fprintf(stderr, "situation: a process of one region: %s\n", failed ? strerror(failed) : "failed");
            exit(1);
        }
    }
    return (struct result){spent / done * 1e9, done};
}

// Another process that keeps a CPU busy, until it is killed, its parent ends, or a minute has passed.
static void stranger(void) {
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    alarm(60);
    for (;;) TOUCH();
}

// Starts the program again, with as many CPUs, because a runtime may look at them when it is loaded. Returns if it has
// them; prints why if there are too few.
static void use_cpus(int wanted, char **rest) {
    cpu_set_t all, some;
    sched_getaffinity(0, sizeof all, &all);
    int count = CPU_COUNT(&all);
    if (count == wanted) return;
    if (count < wanted) {
        printf("skipped: needs %d CPUs, %d there\n", wanted, count);
        exit(0);
    }
    CPU_ZERO(&some);
    for (int cpu = 0; CPU_COUNT(&some) < wanted; cpu++) {
        if (CPU_ISSET(cpu, &all)) CPU_SET(cpu, &some);
    }
    sched_setaffinity(0, sizeof some, &some);
    execv("/proc/self/exe", rest);
    fprintf(stderr, "situation: /proc/self/exe: %s\n", strerror(errno));
    exit(1);
}

static void (*function(const char *name))(int, long) {
    for (size_t i = 0; i < sizeof situations / sizeof *situations; i++) {
        if (strcmp(situations[i].name, name) == 0) return situations[i].run;
    }
    for (size_t i = 0; i < sizeof constructs / sizeof *constructs; i++) {
        if (strcmp(constructs[i].name, name) == 0) return constructs[i].run;
    }
    fprintf(stderr, "situation: no situation '%s'\n", name);
    exit(2);
}

int main(int argc, char **argv) {
    int at = 1, is_mean = 0;
    if (argc > at + 1 && strcmp(argv[at], "cpus") == 0) {
        // Its second word becomes the program's name.
        use_cpus(atoi(argv[at + 1]), argv + at + 1);
        at += 2;
    }
    if (argc > at && strcmp(argv[at], "mean") == 0) is_mean = at++;
    int threads = argc > at + 2 ? atoi(argv[at + 1]) : 0;
    double budget = argc > at + 2 ? atoi(argv[at + 2]) / 1000.0 : 0.0;
    if (threads < 1 || budget <= 0.0) {
        fprintf(stderr, "usage: situation [cpus N] [mean] NAME THREADS MILLISECONDS [NUMBER [NUMBER]]\n");
        return 2;
    }
    const char *name = argv[at];
    for (int i = 0; i < 2 && at + 3 + i < argc; i++) numbers[i] = atol(argv[at + 3 + i]);
    struct result result;
    if (strcmp(name, "stranger") == 0) stranger();
    if (strcmp(name, "once") == 0) {
        parallel(threads, 1);
        return 0;
    }
    if (strcmp(name, "gap") == 0) {
        result = gap(threads, budget);
    } else if (strcmp(name, "idle") == 0) {
        result = idle(threads, budget);
    } else if (strcmp(name, "memory") == 0) {
        result = memory(threads);
    } else if (strcmp(name, "start") == 0) {
        result = start(argv[at + 1], budget);
    } else {
        if (strncmp(name, "work-", 5) == 0) calibrate();
        result = timed(function(name), threads, budget, is_mean);
    }
    printf("%.6f %ld %s\n", result.value, result.count, runtime_file());
    return 0;
}
