// Transparent tasks as clang 23 asks for them, by a flag of the task (OpenMP 6.0, sections 17.9.5 and 17.9.6): children of an importing task
// depend on its preceding siblings, and who depends on an exporting task depends on its children.
//@ compilers: clang
//@ needs: clang 16
//@ stock-fails: clang because libomp knows the flag and does nothing for it
#include <stddef.h>
#include <unistd.h>

#include "check.h"

typedef struct task {
    void *shareds;
    int (*routine)(int, struct task *);
    int part;
    void *data[2];
    int *seen;
    int value;
} task;
typedef struct {
    size_t address, length;
    unsigned char flags;
} dependence;

int __kmpc_global_thread_num(void *);
task *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t, int (*)(int, task *));
int __kmpc_omp_task(void *, int, task *);
int __kmpc_omp_task_with_deps(void *, int, task *, int, dependence *, int, dependence *);
void __kmpc_omp_task_begin_if0(void *, int, task *);
void __kmpc_omp_task_complete_if0(void *, int, task *);
void __kmpc_omp_taskwait_deps_51(void *, int, int, dependence *, int, dependence *, int);

enum { TIED = 1, TRANSPARENT = 256, IN = 1, INOUT = 3, MUTEXINOUTSET = 4 };
static int a, b, c;

static dependence on(int *location, int kind) { return (dependence){(size_t)location, sizeof *location, (unsigned char)kind}; }

static task *make(int flags, int (*routine)(int, task *), int *seen, int value) {
    task *made = __kmpc_omp_task_alloc(NULL, __kmpc_global_thread_num(NULL), TIED | flags, sizeof(task), 0, routine);
    made->seen = seen;
    made->value = value;
    return made;
}

static void generate(task *made, int *location, int kind) {
    int gtid = __kmpc_global_thread_num(NULL);
    dependence list = on(location, kind);
    if (location) __kmpc_omp_task_with_deps(NULL, gtid, made, 1, &list, 0, NULL);
    else __kmpc_omp_task(NULL, gtid, made);
}

// Writes late, so that whoever does not wait sees the old value.
static int late(int gtid, task *self) {
    (void)gtid;
    usleep(1000);
    __atomic_store_n(self->seen, self->value, __ATOMIC_RELAXED);
    return 0;
}

static int check(int gtid, task *self) {
    (void)gtid;
    CHECK_EQ(__atomic_load_n(self->seen, __ATOMIC_RELAXED), self->value);
    return 0;
}

// The child of an importing task waits for the sibling before it.
static int importer(int gtid, task *self) {
    (void)gtid;
    generate(make(0, check, self->seen, self->value), self->seen, IN);
    return 0;
}

// As `importer`, by a wait.
static int waiting_importer(int gtid, task *self) {
    dependence list = on(self->seen, IN);
    __kmpc_omp_taskwait_deps_51(NULL, gtid, 1, &list, 0, NULL, 0);
    return check(gtid, self);
}

// What an importing task knows outlives a wait for its own children.
static int importer_after_wait(int gtid, task *self) {
    generate(make(0, late, &c, 1), &c, INOUT);
#pragma omp taskwait
    return importer(gtid, self);
}

// The child goes on when its generating task is complete.
static int exporter(int gtid, task *self) {
    (void)gtid;
    generate(make(0, late, self->seen, self->value), self->seen, INOUT);
    return 0;
}

// Over two generations.
static int exporter_of_exporter(int gtid, task *self) {
    (void)gtid;
    generate(make(TRANSPARENT, exporter, self->seen, self->value), self->seen, INOUT);
    return 0;
}

static int importer_of_importer(int gtid, task *self) {
    (void)gtid;
    generate(make(TRANSPARENT, importer, self->seen, self->value), NULL, 0);
    return 0;
}

// What transparent tasks leave behind is no child of the task that waits: each case has a taskgroup.
static void reset(void) { a = b = c = 0; }

static void imports(void) {
    int (*routines[])(int, task *) = {importer, waiting_importer, importer_after_wait, importer_of_importer};
    for (int i = 0; i < 4; i++) {
        for (int with_dependence = 0; with_dependence < 2; with_dependence++) {
            reset();
#pragma omp taskgroup
            {
                generate(make(0, late, &a, 7), &a, INOUT);
                generate(make(TRANSPARENT, routines[i], &a, 7), with_dependence ? &b : NULL, INOUT);
            }
        }
    }
    // A child does not depend on the task that generates it, though both name one location.
    reset();
#pragma omp taskgroup
    generate(make(TRANSPARENT, exporter, &a, 1), &a, INOUT);
    CHECK_EQ(a, 1);
}

static void exports(void) {
    int (*routines[])(int, task *) = {exporter, exporter_of_exporter};
    for (int i = 0; i < 2; i++) {
        reset();
#pragma omp taskgroup
        {
            generate(make(TRANSPARENT, routines[i], &a, 5), &a, INOUT);
            generate(make(0, check, &a, 5), &a, IN);
        }
        // By way of another location: the exporting task is a predecessor all the same.
        reset();
        dependence both[] = {on(&a, IN), on(&b, IN)};
#pragma omp taskgroup
        {
            generate(make(TRANSPARENT, routines[i], &b, 5), &a, INOUT);
            __kmpc_omp_task_with_deps(NULL, __kmpc_global_thread_num(NULL), make(0, check, &b, 5), 2, both, 0, NULL);
        }
        // A wait.
        reset();
        generate(make(TRANSPARENT, routines[i], &a, 5), &a, INOUT);
        __kmpc_omp_taskwait_deps_51(NULL, __kmpc_global_thread_num(NULL), 1, both, 0, NULL, 0);
        CHECK_EQ(a, 5);
    }
}

// Children of an undeferred exporting task count with its siblings, whatever dependences it has itself.
static void undeferred_exports(void) {
    int gtid = __kmpc_global_thread_num(NULL);
    reset();
    task *made = make(TRANSPARENT, exporter, &a, 9);
    __kmpc_omp_task_begin_if0(NULL, gtid, made);
    made->routine(gtid, made);
    __kmpc_omp_task_complete_if0(NULL, gtid, made);
#pragma omp taskgroup
    {
        generate(make(0, check, &a, 9), &a, IN);
        generate(make(TRANSPARENT, importer, &a, 9), NULL, 0);
    }
}

// A deep mixture, for its sum.
static int many(int gtid, task *self) {
    (void)gtid;
    if (self->value > 0)
        for (int i = 0; i < 3; i++) generate(make(TRANSPARENT, many, self->seen, self->value - 1), i ? &b : self->seen, i == 2 ? MUTEXINOUTSET : INOUT);
    else __atomic_fetch_add(self->seen, 1, __ATOMIC_RELAXED);
    return 0;
}

int main(void) {
#pragma omp parallel
#pragma omp single
    for (int round = 0; round < 3; round++) {
        imports();
        exports();
        undeferred_exports();
        reset();
        generate(make(TRANSPARENT, many, &c, 4), &a, INOUT);
        dependence list = on(&a, IN);
        __kmpc_omp_taskwait_deps_51(NULL, __kmpc_global_thread_num(NULL), 1, &list, 0, NULL, 0);
        CHECK_EQ(c, 81);
    }
    return verdict();
}
