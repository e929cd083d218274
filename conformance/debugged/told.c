// A program with a tool of its own, which gives every thread, region and task a word. The threads say which words they have.
#include <omp-tools.h>

#include "said.h"

static ompt_get_thread_data_t get_thread_data;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static long words;

static void give(ompt_data_t *data) { data->value = (uint64_t)__atomic_add_fetch(&words, 1, __ATOMIC_SEQ_CST) + 1000; }

static void on_thread(ompt_thread_t kind, ompt_data_t *data) {
    (void)kind;
    give(data);
}

static void on_parallel(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned int asked, int flags,
                        const void *code) {
    (void)task, (void)frame, (void)asked, (void)flags, (void)code;
    give(parallel);
}

static void on_implicit(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned int threads,
                        unsigned int number, int flags) {
    (void)threads, (void)number;
    if (endpoint != ompt_scope_begin) return;
    give(task);
    if (flags & ompt_task_initial) give(parallel);
}

static void on_create(ompt_data_t *generating, const ompt_frame_t *frame, ompt_data_t *task, int flags, int dependences,
                      const void *code) {
    (void)generating, (void)frame, (void)flags, (void)dependences, (void)code;
    give(task);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    (void)device, (void)data;
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_thread_begin, (ompt_callback_t)on_thread);
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel);
    set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit);
    set(ompt_callback_task_create, (ompt_callback_t)on_create);
    return 1;
}

static void finalize(ompt_data_t *data) { (void)data; }

ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
    (void)version, (void)runtime;
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return &result;
}

static void say_words(void) {
    struct record *record = speak("words");
    say_all(record);
    say(record, "thread data", (long)get_thread_data()->value);
    for (int level = 0; level < 6; level++) {
        char name[NAME];
        int flags, size, number;
        ompt_data_t *data = NULL, *parallel = NULL;
        ompt_frame_t *frame;
        if (get_parallel_info(level, &data, &size) == 2) {
            snprintf(name, sizeof name, "parallel data%d", level);
            say(record, name, (long)data->value);
        }
        if (get_task_info(level, &flags, &data, &frame, &parallel, &number) == 2) {
            snprintf(name, sizeof name, "task data%d", level);
            say(record, name, (long)data->value);
        }
    }
}

int main(int count, char **argument) {
    arguments(count, argument);
    omp_set_max_active_levels(3);
    omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
    if (omp_get_thread_num() == 0) {
#pragma omp task if (0)
        {
            say_words();
            meet(4);
        }
    } else {
        say_words();
        meet(4);
    }
    return 0;
}
