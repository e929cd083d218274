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

static int tool_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_device_load, (ompt_callback_t)on_device_load);
    return 1;
}
static void tool_finalize(ompt_data_t *data) { finalized++; }
ompt_start_tool_result_t *ompt_start_tool(unsigned int version, const char *runtime) {
    static ompt_start_tool_result_t tool = {tool_initialize, tool_finalize, {0}};
    return &tool;
}

void ompt_libomptarget_connect(ompt_start_tool_result_t *);
static void (*load)(int, const char *, int64_t, void *, size_t, void *, void *, uint64_t);
static int others;
static int plug_in_initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    load = (void (*)(int, const char *, int64_t, void *, size_t, void *, void *, uint64_t))lookup("ompt_callback_device_load");
    others = lookup("ompt_callback_device_unload") != NULL || lookup("no such name") != NULL;
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
    return verdict();
}
