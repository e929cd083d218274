// Tasks that threads give to threads without work, in teams of more than eight threads that have a CPU each: trees,
// recursion with taskwait, dependences, and phases in which some threads are ahead of others.
// The program says that it has 64 CPUs, because the runtime gives tasks only to threads that are running.
// OpenMP 5.1, 2.12.1, 2.12.6, 2.19.2
#define _GNU_SOURCE
#include "check.h"
#include <sched.h>
#include <string.h>

int sched_getaffinity(pid_t pid, size_t bytes, cpu_set_t *set) {
    (void)pid;
    memset(set, 0, bytes);
    memset(set, 0xff, bytes < 8 ? bytes : 8);
    return 0;
}

static int executed;

static void count(void) { __atomic_fetch_add(&executed, 1, __ATOMIC_RELAXED); }

static void grow(int depth) {
    count();
    if (depth == 0) return;
    for (int child = 0; child < 2; child++) {
#pragma omp task firstprivate(depth)
        grow(depth - 1);
    }
}

static int fib(int n) {
    if (n < 2) return n;
    int a, b;
#pragma omp task shared(a) firstprivate(n)
    a = fib(n - 1);
#pragma omp task shared(b) firstprivate(n)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

static void trees(int threads) {
    executed = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single nowait
    grow(9);
    CHECK_EQ(executed, 1023);

    int result = 0;
#pragma omp parallel num_threads(threads)
#pragma omp single
    result = fib(12);
    CHECK_EQ(result, 144);
}

// Each thread creates tasks in each phase, and some come to the next phase while others are still in the barrier.
static void phases(int threads) {
    enum { PHASES = 6, TASKS = 5 };
    executed = 0;
    int wrong = 0, team = 0;
#pragma omp parallel num_threads(threads) shared(wrong, team)
    {
        int members = omp_get_num_threads();
        if (omp_get_thread_num() == 0) team = members;
        for (int phase = 0; phase < PHASES; phase++) {
            for (int task = 0; task < TASKS; task++) {
#pragma omp task
                grow(1);
            }
#pragma omp barrier
            // All tasks of this phase are complete, and some of the next one may be.
            if (__atomic_load_n(&executed, __ATOMIC_RELAXED) < (phase + 1) * members * TASKS * 3)
                __atomic_store_n(&wrong, 1, __ATOMIC_RELAXED);
        }
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(executed, PHASES * team * TASKS * 3);
}

// Tasks that become ready when others are complete.
static void chains(int threads) {
    enum { CHAINS = 24, LINKS = 10 };
    int value[CHAINS] = {0};
#pragma omp parallel num_threads(threads) shared(value)
#pragma omp single
    for (int link = 0; link < LINKS; link++)
        for (int chain = 0; chain < CHAINS; chain++) {
#pragma omp task depend(inout : value[chain]) firstprivate(chain, link) shared(value)
            value[chain] = value[chain] == link ? link + 1 : -1;
        }
    for (int chain = 0; chain < CHAINS; chain++) CHECK_EQ(value[chain], LINKS);
}

// A task in a task region of a nested team.
static void nested(int threads) {
    executed = 0;
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(threads)
#pragma omp single
    for (int task = 0; task < 12; task++) {
#pragma omp task
        {
            grow(2);
#pragma omp parallel num_threads(2)
#pragma omp single
            grow(2);
        }
    }
    CHECK_EQ(executed, 12 * 14);
}

int main(void) {
    static const int sizes[] = {20, 9, 4, 17, 24};
    for (int round = 0; round < 10; round++) {
        int threads = sizes[round % 5];
        trees(threads);
        phases(threads);
        chains(threads);
        nested(threads);
    }
    return verdict();
}
