// Threads of the program's own that have never met OpenMP, one for each thing that a thread may do first. The
// journal's number of such a thread is -1 until the tool has heard of it.
#include <omp.h>
#include <pthread.h>
#include <stddef.h>

#include "journal.h"

// gcc 12 has it in no header.
extern int omp_control_tool(int command, int modifier, void *argument);

static omp_lock_t lock, fresh;
static omp_nest_lock_t nest_lock, fresh_nest;
static omp_event_handle_t early, late;
static int variable, other;
#ifdef __clang__
static double wide;
#else
static long double wide;
#endif

static void fulfil_early(void) { omp_fulfill_event(early); }
static void fulfil_late(void) { omp_fulfill_event(late); }
static void control(void) { omp_control_tool(1, 0, NULL); }
static void init(void) { omp_init_lock(&fresh); }
static void set(void) { omp_set_lock(&lock); }
static void unset(void) { omp_unset_lock(&lock); }
static void test(void) { if (omp_test_lock(&lock)) omp_unset_lock(&lock); }
static void destroy(void) { omp_destroy_lock(&fresh); }
static void nest_init(void) { omp_init_nest_lock(&fresh_nest); }
static void nest_set(void) { omp_set_nest_lock(&nest_lock); }
static void nest_unset(void) { omp_unset_nest_lock(&nest_lock); }
static void nest_test(void) { if (omp_test_nest_lock(&nest_lock)) omp_unset_nest_lock(&nest_lock); }
static void nest_destroy(void) { omp_destroy_nest_lock(&fresh_nest); }
static void allocate(void) { omp_free(omp_alloc(64, omp_default_mem_alloc), omp_default_mem_alloc); }
static void target_allocate(void) { omp_target_free(omp_target_alloc(64, 0), 0); }
static void target_copy(void) {
    int host = omp_get_initial_device();
    omp_target_memcpy(&variable, &other, sizeof variable, 0, 0, host, host);
}
static void associate(void) {
    omp_target_associate_ptr(&other, &variable, sizeof variable, 0, 0);
    omp_target_disassociate_ptr(&other, 0);
}
static void pause_all(void) { omp_pause_resource_all(omp_pause_soft); }
static void barrier(void) {
#pragma omp barrier
}
static void critical(void) {
#pragma omp critical
    variable++;
}
static void atomic(void) {
#pragma omp atomic
    wide += 1;
}
static void memory(void) {
#pragma omp flush
}
static void ordered(void) {
#pragma omp for ordered
    for (int i = 0; i < 2; i++)
#pragma omp ordered
        variable++;
}
static void loop(void) {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) variable++;
}
static void sections(void) {
#pragma omp sections
    {
#pragma omp section
        variable++;
#pragma omp section
        variable++;
    }
}
static void single(void) {
#pragma omp single
    variable++;
}
static void masked(void) {
#pragma omp masked
    variable++;
}
static void task(void) {
#pragma omp task
    variable++;
}
static void wait_for_tasks(void) {
#pragma omp taskwait
}
static void yield(void) {
#pragma omp taskyield
}
static void group(void) {
#pragma omp taskgroup
    variable++;
}
static void taskloop(void) {
#pragma omp taskloop
    for (int i = 0; i < 4; i++) variable++;
}
static void region(void) {
#pragma omp parallel num_threads(2)
    {
    }
}
static void teams(void) {
#pragma omp teams num_teams(2)
    {
    }
}
static void target(void) {
#pragma omp target map(tofrom : variable)
    variable++;
}
static void data(void) {
#pragma omp target data map(tofrom : variable)
    variable++;
}
static void enter(void) {
#pragma omp target enter data map(to : variable)
}
static void update(void) {
#pragma omp target update to(variable)
}
static void leave(void) {
#pragma omp target exit data map(from : variable)
}
static void nowait(void) {
#pragma omp target nowait map(tofrom : variable)
    variable++;
#pragma omp taskwait
}
// gcc 12 does not know the directive.
#ifdef __clang__
static void error(void) {
#pragma omp error at(execution) severity(warning) message("expected")
}
#endif

static void *visit(void *first) {
    ((void (*)(void))first)();
    return NULL;
}

static void on_a_thread_of_its_own(void (*first)(void)) {
    pthread_t thread;
    pthread_create(&thread, NULL, visit, (void *)first);
    pthread_join(thread, NULL);
}

int main(void) {
    static void (*const all[])(void) = {
        control, init,  set,      unset,  test,  destroy, nest_init, nest_set, nest_unset, nest_test, nest_destroy, allocate, barrier,
        critical, atomic, memory, ordered, loop,  sections, single,   masked,   task,       wait_for_tasks,      yield,        group,    taskloop,
        region,  teams, target_allocate, target_copy, associate, target,  data,     enter,      update,    leave,        nowait,   pause_all,
#ifdef __clang__
        error,
#endif
    };
    omp_init_lock(&lock);
    omp_init_nest_lock(&nest_lock);
    omp_event_handle_t event;
    // Outside of regions a task is executed where it is generated, so that the second one waits for its event behind
    // its code.
    journal_mark("early", 0);
#pragma omp task detach(event)
    {
        early = event;
        on_a_thread_of_its_own(fulfil_early);
    }
    journal_mark("late", 0);
#pragma omp task detach(event)
    late = event;
    on_a_thread_of_its_own(fulfil_late);
#pragma omp taskwait
    for (unsigned i = 0; i < sizeof all / sizeof *all; i++) {
        journal_mark("next", i);
        on_a_thread_of_its_own(all[i]);
    }
    journal_mark("done", 0);
    return 0;
}
