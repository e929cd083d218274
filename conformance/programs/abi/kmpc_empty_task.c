// Tasks without a routine, as compilers make them of a taskwait with depend and nowait: each is complete as soon as its predecessors
// are, and its successors wait for it. Every kind of dependence, many edges, priorities, in a taskgroup, undeferred in a final task.
// OpenMP 5.1, 2.19.5 (taskwait); LLVM's interface
//@ compilers: clang
#include <stdint.h>

#include "check.h"

typedef struct task {
    void *shareds;
    int (*routine)(int, struct task *);
    int part;
    union {
        int (*destructors)(int, struct task *);
        int priority;
    } data[2];
} task;
typedef struct {
    size_t address, length;
    unsigned char flags;
} dependence;

int __kmpc_global_thread_num(void *);
task *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t, int (*)(int, task *));
int __kmpc_omp_task(void *, int, task *);
int __kmpc_omp_task_with_deps(void *, int, task *, int, dependence *, int, dependence *);

enum { TIED = 1, PRIORITY = 32 };
enum { IN = 1, INOUT = 3, MUTEXINOUTSET = 4, INOUTSET = 8, ALL = 0x80 };
enum { MANY = 40 };

static void empty(int flags, int count, dependence *list) {
    int gtid = __kmpc_global_thread_num(NULL);
    task *made = __kmpc_omp_task_alloc(NULL, gtid, TIED | flags, sizeof(task), 0, NULL);
    made->data[1].priority = 3;
    if (count > 0) __kmpc_omp_task_with_deps(NULL, gtid, made, count, list, 0, NULL);
    else __kmpc_omp_task(NULL, gtid, made);
}

// Of each kind: the tasks before are complete when those behind the empty one run.
static void between(int kind, int flags) {
    int before[MANY] = {0}, behind = 0;
    dependence list[MANY + 1];
    for (int i = 0; i < MANY; i++) {
        list[i] = (dependence){(size_t)&before[i], sizeof before[i], (unsigned char)kind};
#pragma omp task depend(out : before[i]) shared(before) firstprivate(i)
        {
            spin_work(200);
#pragma omp atomic write
            before[i] = 1;
        }
    }
    list[MANY] = (dependence){(size_t)&behind, sizeof behind, INOUT};
    empty(flags, MANY + 1, list);
#pragma omp task depend(in : behind) shared(before)
    for (int i = 0; i < MANY; i++) {
        int seen;
#pragma omp atomic read
        seen = before[i];
        CHECK(seen == 1, "kind %d: went on before task %d", kind, i);
    }
#pragma omp taskwait
}

static void chain(void) {
    int x = 0, y = 0;
    for (int i = 0; i < 200; i++) {
#pragma omp task depend(inout : x) shared(x) firstprivate(i)
        {
            CHECK_EQ(x, i);
            x++;
        }
        dependence both[] = {{(size_t)&x, sizeof x, INOUT}, {(size_t)&y, sizeof y, i % 2 ? MUTEXINOUTSET : INOUTSET}};
        empty(0, 2, both);
    }
#pragma omp taskwait
    CHECK_EQ(x, 200);
}

static void all(void) {
    for (int flags = 0; flags <= PRIORITY; flags += PRIORITY) {
        between(IN, flags);
        between(INOUT, flags);
        between(MUTEXINOUTSET, flags);
#pragma omp taskgroup
        between(INOUTSET, flags);
    }
#pragma omp taskwait
    chain();
    int done = 0;
#pragma omp taskgroup
    {
#pragma omp task shared(done)
        {
            spin_work(200);
#pragma omp atomic write
            done = 1;
        }
        dependence everything[] = {{0, 0, ALL | INOUT}};
        empty(0, 1, everything);
        for (int i = 0; i < 600; i++) empty(0, 0, NULL);
    }
    CHECK_EQ(done, 1);
#pragma omp task final(1) shared(done)
    {
        dependence one[] = {{(size_t)&done, sizeof done, INOUT}};
        empty(0, 1, one);
        empty(0, 0, NULL);
    }
#pragma omp taskwait
}

int main(void) {
    all();
#pragma omp parallel
#pragma omp single
    all();
    return verdict();
}
