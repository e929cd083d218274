// Free agents (OpenMP 6.0, sections 4.3.10 and 14.8): threads that OMP_THREADS_RESERVE reserves take tasks that may leave their team, which
// clang 23 marks by a flag. Their results, counts, children, dependences and reductions are as if the team's threads had executed them.
//@ compilers: clang
//@ needs: clang 16
//@ env: OMP_THREADS_RESERVE=free_agent(3)
//@ libs: dl
//@ stock-fails: clang because libomp has neither the routines nor free agents
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stddef.h>
#include <unistd.h>

#include "check.h"

typedef struct task {
    void *shareds;
    int (*routine)(int, struct task *);
    int part;
    void *data[2];
    long value, *result;
} task;
typedef struct {
    size_t address, length;
    unsigned char flags;
} dependence;

int __kmpc_global_thread_num(void *);
task *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t, int (*)(int, task *));
int __kmpc_omp_task(void *, int, task *);
int __kmpc_omp_task_with_deps(void *, int, task *, int, dependence *, int, dependence *);
// The library that programs are linked with may lack them.
static int (*is_free_agent)(void);
static int (*ancestor_is_free_agent)(int);

enum { TIED = 1, POOL = 128, UNASSIGNED = -2 };
static int by_agents, level, team_size;

static task *make(int flags, int (*routine)(int, task *), long value, long *result) {
    task *made = __kmpc_omp_task_alloc(NULL, __kmpc_global_thread_num(NULL), flags, sizeof(task), 0, routine);
    made->value = value;
    made->result = result;
    return made;
}

static void generate(task *made) { __kmpc_omp_task(NULL, __kmpc_global_thread_num(NULL), made); }

// Where the executing thread is; returns whether it is a free agent.
static int look(void) {
    CHECK_EQ(omp_get_level(), level);
    CHECK_EQ(omp_get_num_threads(), team_size);
    CHECK_EQ(omp_in_explicit_task(), 1);
    CHECK_EQ(ancestor_is_free_agent(level), is_free_agent());
    if (is_free_agent()) {
        CHECK_EQ(omp_get_thread_num(), UNASSIGNED);
        __atomic_fetch_add(&by_agents, 1, __ATOMIC_RELAXED);
        return 1;
    }
    CHECK(omp_get_thread_num() >= 0 && omp_get_thread_num() < omp_get_num_threads(), "%d", omp_get_thread_num());
    return 0;
}

static int add(int gtid, task *self) {
    (void)gtid;
    look();
    __atomic_fetch_add(self->result, self->value, __ATOMIC_RELAXED);
    return 0;
}

// Waits for an agent to come to a task of its own: all of them may, and nobody else is there to do so.
static int until_agent(int gtid, task *self) {
    (void)gtid;
    while (!look() && !__atomic_load_n(self->result, __ATOMIC_RELAXED)) usleep(100);
    __atomic_store_n(self->result, 1, __ATOMIC_RELAXED);
    return 0;
}

static int fib(int gtid, task *self) {
    (void)gtid;
    long left, right;
    if (self->value < 2) {
        *self->result = self->value;
        return 0;
    }
    generate(make(TIED | POOL, fib, self->value - 1, &left));
    generate(make(TIED | POOL, fib, self->value - 2, &right));
#pragma omp taskwait
    *self->result = left + right;
    return 0;
}

// Children that nobody waits for, with children.
static int leave_children(int gtid, task *self) {
    (void)gtid;
    if (self->value > 0)
        for (int i = 0; i < 3; i++) generate(make(TIED | (i ? POOL : 0), leave_children, self->value - 1, self->result));
    __atomic_fetch_add(self->result, 1, __ATOMIC_RELAXED);
    return 0;
}

static int count_up(int gtid, task *self) {
    (void)gtid;
    CHECK_EQ(*self->result, self->value);
    *self->result = self->value + 1;
    return 0;
}

// A region inside the task of an agent has members of its own.
static int region(int gtid, task *self) {
    (void)gtid;
    int agent = is_free_agent();
#pragma omp parallel num_threads(2)
    {
        CHECK_EQ(omp_get_level(), level + 1);
        CHECK(omp_get_thread_num() >= 0 && omp_get_thread_num() < omp_get_num_threads(), "%d", omp_get_thread_num());
        if (agent && omp_get_thread_num() == 0) CHECK_EQ(ancestor_is_free_agent(level + 1), 1);
    }
    __atomic_fetch_add(self->result, 1, __ATOMIC_RELAXED);
    return 0;
}

static void all(void) {
    long sum = 0, number = 0, leaves = 0, chain = 0, regions = 0;
    for (int i = 1; i <= 100; i++) generate(make(i % 2 ? TIED | POOL : POOL, add, i, &sum));
#pragma omp taskwait
    CHECK_EQ(sum, 5050);
    generate(make(TIED | POOL, fib, 15, &number));
#pragma omp taskwait
    CHECK_EQ(number, 610);
#pragma omp taskgroup
    generate(make(TIED | POOL, leave_children, 4, &leaves));
    CHECK_EQ(leaves, 121);
    for (int i = 0; i < 50; i++) {
        dependence list = {(size_t)&chain, sizeof chain, 3};
        __kmpc_omp_task_with_deps(NULL, __kmpc_global_thread_num(NULL), make(TIED | POOL, count_up, i, &chain), 1, &list, 0, NULL);
    }
#pragma omp taskwait depend(in : chain)
    CHECK_EQ(chain, 50);
    for (int i = 0; i < 5; i++) generate(make(TIED | POOL, region, 0, &regions));
#pragma omp taskwait
    CHECK_EQ(regions, 5);
    // Copies of a reduction are told by thread numbers: such tasks stay in the team.
    long total = 0;
#pragma omp taskgroup task_reduction(+ : total)
    {
#pragma omp task in_reduction(+ : total)
        total += 1;
        generate(make(TIED | POOL, add, 0, &sum));
    }
    CHECK_EQ(total, 1);
}

int main(void) {
    is_free_agent = (int (*)(void))dlsym(RTLD_DEFAULT, "omp_is_free_agent");
    ancestor_is_free_agent = (int (*)(int))dlsym(RTLD_DEFAULT, "omp_ancestor_is_free_agent");
    if (!is_free_agent || !ancestor_is_free_agent) return 1;
    CHECK_EQ(is_free_agent(), 0);
    CHECK_EQ(ancestor_is_free_agent(0), 0);
    CHECK_EQ(ancestor_is_free_agent(1), 0);
    long met = 0, late = 0;
#pragma omp parallel
    {
#pragma omp single
        {
            level = omp_get_level();
            team_size = omp_get_num_threads();
        }
        // Tasks that a cancel construct may discard stay in their team.
        if (omp_get_num_threads() > 1 && !omp_get_cancellation()) {
            // As many tasks as threads, each of which ends only when an agent has executed one.
#pragma omp single
            for (int i = 0; i <= omp_get_num_threads(); i++) generate(make(TIED | POOL, until_agent, 0, &met));
        }
#pragma omp barrier
#pragma omp single
        all();
        // Ends at the barrier of the region.
        generate(make(TIED | POOL, leave_children, 3, &late));
    }
    CHECK_EQ(late, 40L * omp_get_max_threads());
    CHECK_EQ(by_agents > 0, omp_get_max_threads() > 1 && !omp_get_cancellation());
    return verdict();
}
