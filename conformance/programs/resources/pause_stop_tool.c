// omp_pause_stop_tool pauses as omp_pause_hard does and ends the tool: its finaliser runs once, it hears of nothing more, and regions
// go on. OpenMP 6.0, 28.1
//@ flags: -rdynamic
//@ checker: no because it has a tool of its own
//@ stock-fails: gcc because it has no OMPT
//@ stock-fails: clang because it refuses to stop tools
#include "check.h"

typedef struct {
    int (*initialize)(void *(*lookup)(const char *), int device, void *data);
    void (*finalize)(void *data);
    unsigned long long data;
} tool_t;

static int begun, ended, finalised;

static void parallel_begin(void) { begun++; }
static void thread_end(void *data) {
    (void)data;
    __atomic_fetch_add(&ended, 1, __ATOMIC_RELAXED);
}

static int initialize(void *(*lookup)(const char *), int device, void *data) {
    (void)device, (void)data;
    int (*set_callback)(int event, void *callback);
    *(void **)&set_callback = lookup("ompt_set_callback");
    // ompt_callback_thread_end and ompt_callback_parallel_begin
    set_callback(2, (void *)thread_end);
    set_callback(3, (void *)parallel_begin);
    return 1;
}

static void finalize(void *data) {
    (void)data;
    finalised++;
}

tool_t *ompt_start_tool(unsigned version, const char *runtime) {
    (void)version, (void)runtime;
    static tool_t tool = {initialize, finalize, 0};
    return &tool;
}

int main(void) {
    for (int round = 0; round < 2; round++) {
        int there = 0;
#pragma omp parallel reduction(+ : there) num_threads(3)
        there++;
        CHECK_EQ(there, 3);
        CHECK_EQ(begun, 1);
        CHECK_EQ(omp_pause_resource_all((omp_pause_resource_t)3), 0);
        CHECK_EQ(finalised, 1);
        // The two workers and the initial thread.
        CHECK_EQ(ended, 3);
    }
    return verdict();
}
