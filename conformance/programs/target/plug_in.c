// A plug-in that emits events of its own is given the tool's callbacks by their names.
//@ compilers: offload
//@ devices: 1
//@ checker: no because the program brings a tool of its own
#include "device.h"
#include <omp-tools.h>
#include <string.h>

static int loads, finalized;
static void on_device_load(int device, const char *file, int64_t offset, void *vma, size_t bytes, void *host, void *there,
                           uint64_t module) {
    loads++;
}

static ompt_data_t *(*of_target_task)(void), *target_task_seen;
static ompt_get_task_info_t task_info;
static void on_target(ompt_target_t kind, ompt_scope_endpoint_t at, int device, ompt_data_t *task, ompt_data_t *target_task,
                      ompt_data_t *target, const void *code) {
    if (of_target_task && of_target_task() == target_task) target_task_seen = target_task;
}

static int tool_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_device_load, (ompt_callback_t)on_device_load);
    set(ompt_callback_target_emi, (ompt_callback_t)on_target);
    task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    return 1;
}
static void tool_finalize(ompt_data_t *data) { finalized++; }
ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
    static ompt_start_tool_result_t tool = {tool_initialize, tool_finalize, {0}};
    return &tool;
}

// Weak: libomptarget of LLVM 22 and later does not export it.
__attribute__((weak)) void ompt_libomptarget_connect(ompt_start_tool_result_t *);
static void (*load)(int, const char *, int64_t, void *, size_t, void *, void *, uint64_t);
static int others, own;
static ompt_data_t *(*task_data)(void), *(*target_task_data)(void);
static int plug_in_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    load = (void (*)(int, const char *, int64_t, void *, size_t, void *, void *, uint64_t))lookup("ompt_callback_device_load");
    others = lookup("ompt_callback_device_unload") != NULL || lookup("no such name") != NULL;
    // What LLVM's runtime answers as well.
    ompt_callback_t found = NULL;
    ompt_get_callback_t get = (ompt_get_callback_t)lookup("ompt_get_callback");
    own = get && get(ompt_callback_device_load, &found) == 1 && found == (ompt_callback_t)on_device_load;
    task_data = (ompt_data_t * (*)(void)) lookup("ompt_get_task_data");
    target_task_data = (ompt_data_t * (*)(void)) lookup("ompt_get_target_task_data");
    return 0;
}
static void plug_in_finalize(ompt_data_t *data) {
    if (finalized != 1) printf("the plug-in ends before the tool\n");
}

int main(void) {
    static ompt_start_tool_result_t plug_in = {plug_in_initialize, plug_in_finalize, {0}};
    int x = 0;
#pragma omp target map(tofrom : x)
    x = 1;
    int before = loads;
    ompt_libomptarget_connect(&plug_in);
    CHECK(load != NULL, "the callback is not found");
    if (load) load(0, "file", 0, NULL, 0, NULL, NULL, 7);
    CHECK_EQ(loads, before + 1);
    CHECK_EQ(others, 0);
    CHECK_EQ(own, 1);
    ompt_data_t *current = NULL;
    task_info(0, NULL, &current, NULL, NULL, NULL);
    CHECK(task_data && target_task_data, "the entry points are not found");
    if (task_data && target_task_data) {
        CHECK(current && task_data() == current, "the current task's word is another one");
        CHECK(target_task_data() == NULL, "the initial task is taken for a target task");
        of_target_task = target_task_data;
#pragma omp target map(tofrom : x)
        x = 2;
        CHECK(target_task_seen != NULL, "the target task's word is not found");
    }
    return verdict();
}
