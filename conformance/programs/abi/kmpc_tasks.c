// Entry points of tasks that programs do not reach with clang 19's directives: proxy tasks, taskloops with the strict modifier, the older
// description of reductions, task numbers, dependences as other libraries see them, dependences on all memory.
//@ compilers: clang
//@ libs: pthread
//@ stock-fails: clang because it numbers tasks in debugging builds only
//@ needs: clang 18
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include "check.h"

typedef struct task {
    void *shareds;
    int (*routine)(int, struct task *);
    int part;
    union {
        int (*destructors)(int, struct task *);
        int priority;
    } data[2];
    long value[2];
} task;
typedef struct {
    size_t address, length;
    unsigned char flags;
} dependence;
typedef struct {
    void *shared;
    size_t size;
    void (*initialise)(void *);
    void (*finalise)(void *);
    void (*combine)(void *, void *);
    unsigned flags;
} item;
typedef struct list {
    void *node;
    struct list *next;
} list;

int __kmpc_global_thread_num(void *);
task *__kmpc_omp_task_alloc(void *, int, int, size_t, size_t, int (*)(int, task *));
int __kmpc_omp_task(void *, int, task *);
int __kmpc_omp_task_with_deps(void *, int, task *, int, dependence *, int, dependence *);
void __kmpc_proxy_task_completed(int, task *);
void __kmpc_proxy_task_completed_ooo(task *);
void __kmpc_taskloop_5(void *, int, task *, int, uint64_t *, uint64_t *, int64_t, int, int, uint64_t, int, void *);
void *__kmpc_task_reduction_init(int, int, void *);
void *__kmpc_task_reduction_get_th_data(int, void *, void *);
void *__kmpc_task_get_depnode(task *);
list *__kmpc_task_get_successors(task *);
uint64_t __kmpc_get_taskid(void);
uint64_t __kmpc_get_parent_taskid(void);
_Bool __kmpc_omp_has_task_team(int);
void **__kmpc_omp_get_target_async_handle_ptr(int);

enum { TIED = 1, PROXY = 16 };
static int completed, sizes[8], tasks, order;

static void *complete_later(void *proxy) {
    usleep(500);
#pragma omp atomic
    completed++;
    __kmpc_proxy_task_completed_ooo(proxy);
    return NULL;
}

static int proxy_body(int gtid, task *proxy) {
    pthread_t thread;
    (void)gtid;
    pthread_create(&thread, NULL, complete_later, proxy);
    pthread_detach(thread);
    return 0;
}

static void proxies(int gtid) {
    completed = 0;
    for (int i = 0; i < 5; i++) __kmpc_omp_task(NULL, gtid, __kmpc_omp_task_alloc(NULL, gtid, TIED | PROXY, sizeof(task), 0, proxy_body));
#pragma omp taskwait
    CHECK_EQ(completed, 5);
}

static int chunk(int gtid, task *t) {
    (void)gtid;
    int number;
#pragma omp atomic capture
    number = tasks++;
    sizes[number] = (int)(t->value[1] - t->value[0] + 1);
    return 0;
}

static void strict(int gtid) {
    task *pattern = __kmpc_omp_task_alloc(NULL, gtid, TIED, sizeof(task), 0, chunk);
    pattern->value[0] = 10;
    pattern->value[1] = 34;
    tasks = 0;
    __kmpc_taskloop_5(NULL, gtid, pattern, 1, (uint64_t *)&pattern->value[0], (uint64_t *)&pattern->value[1], 1, 0, 1, 7, 1, NULL);
    CHECK_EQ(tasks, 4);
    int sevens = 0, fours = 0;
    for (int i = 0; i < 4; i++) sevens += sizes[i] == 7, fours += sizes[i] == 4;
    CHECK(sevens == 3 && fours == 1, "%d of seven, %d of four", sevens, fours);
}

static void one(void *copy) { *(long *)copy = 1; }
static void times(void *into, void *from) { *(long *)into *= *(long *)from; }
static void *group;
static long product;

static int twice(int gtid, task *t) {
    (void)t;
    *(long *)__kmpc_task_reduction_get_th_data(gtid, group, &product) *= 2;
    *(long *)__kmpc_task_reduction_get_th_data(gtid, NULL, &product) *= 2;
    return 0;
}

static void reductions(int gtid) {
    product = 5;
#pragma omp taskgroup
    {
        item items[] = {{&product, sizeof product, one, NULL, times, 0}};
        group = __kmpc_task_reduction_init(gtid, 1, items);
        CHECK(group != NULL, "no taskgroup");
        for (int i = 0; i < 10; i++) __kmpc_omp_task(NULL, gtid, __kmpc_omp_task_alloc(NULL, gtid, TIED, sizeof(task), 0, twice));
    }
    CHECK_EQ(product, 5 << 20);
}

static int gate;
static int wait_at_gate(int gtid, task *t) {
    (void)gtid;
    while (!__atomic_load_n(&gate, __ATOMIC_ACQUIRE)) usleep(50);
    t->value[0] = __atomic_add_fetch(&order, 1, __ATOMIC_SEQ_CST);
    return 0;
}
static int in_order(int gtid, task *t) {
    (void)gtid;
    int now = __atomic_add_fetch(&order, 1, __ATOMIC_SEQ_CST);
    CHECK(now >= t->value[0] && now <= t->value[1], "task number %d instead of %ld to %ld", now, t->value[0], t->value[1]);
    return 0;
}

static void dependences(int gtid) {
    int x, y;
    order = 0;
    __atomic_store_n(&gate, 0, __ATOMIC_RELAXED);
    task *made[4];
    for (int i = 0; i < 4; i++) made[i] = __kmpc_omp_task_alloc(NULL, gtid, TIED, sizeof(task), 0, i == 0 ? wait_at_gate : in_order);
    made[1]->value[0] = 2, made[1]->value[1] = 3;
    made[2]->value[0] = 2, made[2]->value[1] = 3;
    made[3]->value[0] = made[3]->value[1] = 4;
    dependence both[] = {{(size_t)&x, 4, 3}, {(size_t)&y, 4, 3}};
    dependence read_x[] = {{(size_t)&x, 4, 1}, {(size_t)&y, 4, 1}};
    dependence all[] = {{0, 0, 0x80 | 3}};
    __kmpc_omp_task_with_deps(NULL, gtid, made[0], 2, both, 0, NULL);
    __kmpc_omp_task_with_deps(NULL, gtid, made[1], 2, read_x, 0, NULL);
    __kmpc_omp_task_with_deps(NULL, gtid, made[2], 1, read_x, 0, NULL);
    __kmpc_omp_task_with_deps(NULL, gtid, made[3], 1, all, 0, NULL);
    list *successors = __kmpc_task_get_successors(made[0]);
    CHECK(successors && successors->next && !successors->next->next, "not two successors");
    CHECK(successors->node == __kmpc_task_get_depnode(made[2]), "the newest successor first");
    CHECK(successors->next->node == __kmpc_task_get_depnode(made[1]), "the oldest successor last");
    list *last = __kmpc_task_get_successors(made[1]);
    CHECK(last && last->node == __kmpc_task_get_depnode(made[3]) && !last->next, "all memory");
    __atomic_store_n(&gate, 1, __ATOMIC_RELEASE);
#pragma omp taskwait
    CHECK_EQ(order, 4);
}

int main(void) {
    __kmpc_global_thread_num(NULL);
    CHECK_EQ(__kmpc_get_parent_taskid(), 0);
    CHECK(__kmpc_get_taskid() != 0, "no number");
#pragma omp parallel
#pragma omp single
    {
        int gtid = __kmpc_global_thread_num(NULL);
        uint64_t self = __kmpc_get_taskid();
        CHECK_EQ(__kmpc_omp_has_task_team(gtid), omp_get_num_threads() > 1);
        CHECK(__kmpc_omp_get_target_async_handle_ptr(gtid) == NULL, "an implicit task has no handle");
        for (int i = 0; i < 5; i++) {
#pragma omp task firstprivate(self)
            {
                CHECK(__kmpc_get_taskid() != self, "own number");
                CHECK(__kmpc_get_parent_taskid() == self, "parent's number");
            }
        }
#pragma omp taskwait
        proxies(gtid);
        strict(gtid);
        reductions(gtid);
        if (omp_get_num_threads() > 1) dependences(gtid);
    }
    return verdict();
}
