// LLVM's own offload runtime, where it lies over this library, is given the tool's callbacks by their numbers, and the data of the tasks at hand.
//@ compilers: offload
//@ devices: 1
//@ checker: no because the program brings a tool of its own
//@ stock-fails: offload because it calls the tool at other times
#include "device.h"
#include <omp-tools.h>
#include <string.h>

static int targets, finalized;
static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task, ompt_data_t *target_task,
                      ompt_data_t *target, const void *address) {
    targets++;
}
static void on_task(ompt_data_t *encountering, const ompt_frame_t *frame, ompt_data_t *task, int flags, int dependences,
                    const void *address) {
    task->value = 77;
}

static int tool_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_target_emi, (ompt_callback_t)on_target);
    set(ompt_callback_task_create, (ompt_callback_t)on_task);
    return 1;
}
static void tool_finalize(ompt_data_t *data) { finalized++; }
ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
    static ompt_start_tool_result_t tool = {tool_initialize, tool_finalize, {0}};
    return &tool;
}

__attribute__((weak)) void ompt_libomp_connect(ompt_start_tool_result_t *);
static ompt_get_callback_t get_callback;
static ompt_data_t *(*get_task_data)(void), *(*get_target_task_data)(void);
static int by_name, unknown;
static int runtime_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
    get_task_data = (ompt_data_t * (*)(void)) lookup("ompt_get_task_data");
    get_target_task_data = (ompt_data_t * (*)(void)) lookup("ompt_get_target_task_data");
    by_name = lookup("ompt_callback_target_emi") == (ompt_interface_fn_t)on_target;
    unknown = lookup("no such name") != NULL;
    return 0;
}
static void runtime_finalize(ompt_data_t *data) {
    if (finalized != 1) printf("the offload runtime ends before the tool\n");
}

int main(void) {
    static ompt_start_tool_result_t offload_runtime = {runtime_initialize, runtime_finalize, {0}};
    (void)omp_get_max_threads();
    ompt_libomp_connect(&offload_runtime);
    ompt_callback_t callback = NULL;
    CHECK(get_callback && get_task_data && get_target_task_data && by_name && !unknown, "what is looked up");
    CHECK(get_callback(ompt_callback_target_emi, &callback) == 1 && callback == (ompt_callback_t)on_target, "the callback");
    CHECK_EQ(get_callback(ompt_callback_target_submit_emi, &callback), 0);
    CHECK(get_target_task_data() == NULL, "there is no target task");
    CHECK(get_task_data() != NULL, "there is a task");
#pragma omp task
    CHECK_EQ(get_task_data()->value, 77);
#pragma omp taskwait
    return verdict();
}
