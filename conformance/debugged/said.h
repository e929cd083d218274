// What programs say of themselves, for a debugger to compare with, and where they stop for it.
#ifndef SAID_H
#define SAID_H

#ifndef _GNU_SOURCE
#define _GNU_SOURCE
#endif
#include <omp.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { NAME = 24, FACTS = 56, RECORDS = 96 };

struct fact {
    char name[NAME];
    long value;
};

struct record {
    char name[NAME];
    long facts;
    struct fact fact[FACTS];
};

// The debugger reads both by their names.
struct record said[RECORDS];
int records;

// Where threads have come to, and whether they may go on.
static int met;
volatile int let_go;
// Whether `here` waits for somebody to set `let_go`, and whether it does so by now.
int park;
volatile int parked;
int die;

// The debugger has a breakpoint here. Everyone else who is to be seen is where it is to be seen.
__attribute__((noinline)) void here(void) {
    __asm__ volatile("" ::: "memory");
    if (die) abort();
    parked = 1;
    while (park && !let_go) usleep(1000);
}

// Reads the program's arguments: `park` or `die`.
static inline void arguments(int count, char **argument) {
    park = count > 1 && !strcmp(argument[1], "park");
    die = count > 1 && !strcmp(argument[1], "die");
}

// No program outlives its test for long.
__attribute__((constructor)) static void mortal(void) { alarm(100); }

// Opens a record, in which one thread says what it knows.
static inline struct record *speak(const char *name) {
    struct record *record = &said[__atomic_fetch_add(&records, 1, __ATOMIC_SEQ_CST)];
    strncpy(record->name, name, NAME - 1);
    return record;
}

static inline void say(struct record *record, const char *name, long value) {
    struct fact *fact = &record->fact[record->facts];
    strncpy(fact->name, name, NAME - 1);
    fact->value = value;
    record->facts++;
}

// Everything that the routines tell about the calling thread and its task.
__attribute__((noinline)) static void say_all(struct record *record) {
    say(record, "lwp", syscall(SYS_gettid));
    say(record, "pthread", (long)pthread_self());
    say(record, "frame", (long)__builtin_frame_address(0));
    say(record, "tid", omp_get_thread_num());
    say(record, "threads", omp_get_num_threads());
    say(record, "level", omp_get_level());
    say(record, "active", omp_get_active_level());
    say(record, "in_parallel", omp_in_parallel());
    say(record, "in_final", omp_in_final());
    say(record, "max_threads", omp_get_max_threads());
    say(record, "dynamic", omp_get_dynamic());
    say(record, "thread_limit", omp_get_thread_limit());
    say(record, "max_active", omp_get_max_active_levels());
    say(record, "supported", omp_get_supported_active_levels());
    say(record, "device", omp_get_default_device());
    say(record, "devices", omp_get_num_devices());
    say(record, "cancellation", omp_get_cancellation());
    say(record, "priority", omp_get_max_task_priority());
    say(record, "procs", omp_get_num_procs());
    say(record, "bind", omp_get_proc_bind());
    say(record, "places", omp_get_num_places());
    say(record, "partition", omp_get_partition_num_places());
    say(record, "team", omp_get_team_num());
    say(record, "teams", omp_get_num_teams());
    say(record, "allocator", (long)omp_get_default_allocator());
    omp_sched_t kind;
    int chunk;
    omp_get_schedule(&kind, &chunk);
    say(record, "schedule", (long)kind);
    say(record, "chunk", chunk);
    for (int level = 0; level <= omp_get_level() && level < 6; level++) {
        char name[NAME];
        snprintf(name, sizeof name, "tid%d", level);
        say(record, name, omp_get_ancestor_thread_num(level));
        snprintf(name, sizeof name, "size%d", level);
        say(record, name, omp_get_team_size(level));
    }
}

static inline void speak_all(const char *name) { say_all(speak(name)); }

// The last of so many threads stops for the debugger; the others wait, outside of the runtime.
static inline void meet(int count) {
    if (__atomic_add_fetch(&met, 1, __ATOMIC_SEQ_CST) == count) {
        here();
        let_go = 1;
    }
    while (!let_go) usleep(500);
}

static inline void until(volatile int *flag) {
    while (!*flag) usleep(200);
}

#endif
