// Graphs of tasks that are recorded once and replayed (`__kmpc_start_record_task`, of libomp with OMPX_TASKGRAPH; OpenMP 6.0, section 14.3).
//@ compilers: clang
//@ stock-fails: clang because released libraries lack the entry points
//@ libs: dl
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

#include "check.h"

int __kmpc_global_thread_num(void *);
// The library that programs are linked with may lack them.
static int (*start_record_task)(void *, int, int, int);
static void (*end_record_task)(void *, int, int, int);

enum { NOWAIT = 1, RESET = 4, ROUNDS = 20 };
static int next = 1;

#define GRAPH(number, flags, ...)                                                                        \
    do {                                                                                                 \
        int gtid_ = __kmpc_global_thread_num(NULL);                                                      \
        if (start_record_task(NULL, gtid_, flags, number)) { __VA_ARGS__ }                        \
        end_record_task(NULL, gtid_, (flags) & NOWAIT, number);                                   \
    } while (0)

static void add(int *sum, int by) { __atomic_fetch_add(sum, by, __ATOMIC_RELAXED); }

// The region's code runs once, its tasks each time, in the order of their dependences.
static void dependences(void) {
    int value = 0, entered = 0, a, b, number = next++;
    for (int round = 0; round < ROUNDS; round++) {
        GRAPH(number, 0, {
            entered++;
            OMP(task depend(out : a) shared(value)) add(&value, 5);
            OMP(task depend(out : b) shared(value)) add(&value, -5);
            OMP(task depend(in : a, b) shared(value)) value *= 100;
            OMP(task depend(inout : a) shared(value)) value += 1;
        });
        CHECK_EQ(value, 1);
        value = 0;
    }
    CHECK_EQ(entered, 1);
}

// Each replay has the data that the tasks had when they were generated, whatever they have made of them.
static void data_is_as_recorded(void) {
    int sum = 0, number = next++;
    for (int round = 0; round < ROUNDS; round++) {
        GRAPH(number, 0, {
            for (int i = 1; i <= 10; i++) {
                OMP(task firstprivate(i) shared(sum)) {
                    add(&sum, i);
                    i = 1000;
                }
            }
        });
        CHECK_EQ(sum, 55 * (round + 1));
    }
}

// Two graphs take turns; one is recorded anew each time.
static void two_graphs(void) {
    int first = 0, second = 0, entered = 0, one = next++, other = next++;
    for (int round = 0; round < ROUNDS; round++) {
        GRAPH(one, 0, OMP(task shared(first)) add(&first, 1););
        GRAPH(other, RESET, {
            entered++;
            OMP(task shared(second) firstprivate(round)) add(&second, round);
        });
    }
    CHECK_EQ(first, ROUNDS);
    CHECK_EQ(second, ROUNDS * (ROUNDS - 1) / 2);
    CHECK_EQ(entered, ROUNDS);
}

// A taskwait, a taskgroup and an undeferred task inside the region order what is replayed.
static void waits_are_repeated(void) {
    int value = 0, entered = 0, number = next++;
    for (int round = 0; round < ROUNDS; round++) {
        GRAPH(number, 0, {
            entered++;
            OMP(task shared(value)) {
                usleep(100);
                value = 1;
            }
            OMP(taskwait);
            OMP(task shared(value)) {
                CHECK_EQ(value, 1);
                value = 2;
            }
            OMP(taskwait);
            OMP(taskgroup) {
                OMP(task if (0) shared(value)) value = value ? 3 : 0;
            }
            OMP(taskgroup) {
                OMP(task shared(value)) {
                    usleep(100);
                    value = 4;
                }
            }
            OMP(taskgroup) {
                OMP(task shared(value)) {
                    CHECK_EQ(value, 4);
                    value = 5;
                }
            }
        });
        CHECK_EQ(value, 5);
        value = 0;
    }
    CHECK_EQ(entered, 1);
}

// Iterations of a taskloop, and children that recorded tasks generate themselves.
static void loops_and_children(void) {
    int sum = 0, children = 0, entered = 0, number = next++;
    for (int round = 0; round < ROUNDS; round++) {
        GRAPH(number, 0, {
            entered++;
            OMP(taskloop num_tasks(50) shared(sum, children))
            for (int i = 0; i < 100; i++) {
                add(&sum, i);
                if (i % 10 == 0) {
                    OMP(task shared(children)) add(&children, 1);
                }
            }
        });
        CHECK_EQ(sum, 4950 * (round + 1));
        CHECK_EQ(children, 10 * (round + 1));
    }
    CHECK_EQ(entered, 1);
}

// What cannot be repeated runs the region's code each time, and comes out right.
static void reductions(void) {
    int number = next++;
    long sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        GRAPH(number, 0, {
            OMP(taskloop num_tasks(20) reduction(+ : sum))
            for (int i = 0; i < 100; i++) sum += i;
        });
        CHECK_EQ(sum, 4950L * (round + 1));
    }
}

// Without a wait at the end; mutually exclusive tasks; a graph inside another.
static void other_forms(void) {
    int value = 0, sum = 0, inner = 0, entered = 0, number = next++, outside = next++, inside = next++;
    for (int round = 0; round < ROUNDS; round++) {
        GRAPH(number, NOWAIT, {
            for (int i = 0; i < 5; i++) {
                OMP(task depend(mutexinoutset : value) shared(value)) value++;
            }
        });
#pragma omp taskwait
        CHECK_EQ(value, 5 * (round + 1));
    }
    for (int round = 0; round < ROUNDS; round++) {
        GRAPH(outside, 0, {
            entered++;
            OMP(task shared(sum)) add(&sum, 1);
            GRAPH(inside, 0, OMP(task shared(inner)) add(&inner, 1););
        });
    }
    CHECK_EQ(sum, ROUNDS);
    CHECK_EQ(inner, ROUNDS);
    CHECK_EQ(entered, ROUNDS);
}

int main(void) {
    start_record_task = (int (*)(void *, int, int, int))dlsym(RTLD_DEFAULT, "__kmpc_start_record_task");
    end_record_task = (void (*)(void *, int, int, int))dlsym(RTLD_DEFAULT, "__kmpc_end_record_task");
    if (!start_record_task || !end_record_task) return 1;
#pragma omp parallel
#pragma omp single
    {
        dependences();
        data_is_as_recorded();
        two_graphs();
        waits_are_repeated();
        loops_and_children();
        reductions();
        other_forms();
    }
    // Each thread has its own graph; all come to one graph, which one of them records.
    int own = 0, common = 0, first = next;
    next += 1000;
#pragma omp parallel shared(own, common)
    for (int round = 0; round < 5; round++) {
        GRAPH(first + omp_get_thread_num(), 0, OMP(task shared(own)) add(&own, 1););
        GRAPH(first + omp_get_num_threads(), 0, OMP(task shared(common)) add(&common, 1););
    }
    CHECK_EQ(own, 5 * omp_get_max_threads());
    CHECK_EQ(common, 5 * omp_get_max_threads());
    // Outside of all regions, and in a team of one.
    dependences();
    waits_are_repeated();
#pragma omp parallel num_threads(1)
    {
        dependences();
        loops_and_children();
    }
    return verdict();
}
