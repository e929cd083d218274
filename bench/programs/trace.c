// A tool that traces every device: all records, into buffers of a megabyte that it uses again. Prints at the end how many there were.

#include <omp-tools.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { BYTES = 1 << 20, MOST = 64 };

static pthread_mutex_t spare_lock = PTHREAD_MUTEX_INITIALIZER;
static void *spare[MOST];
static int spares;
static unsigned long long records;
static ompt_advance_buffer_cursor_t advance;

static void request(int device, ompt_buffer_t **buffer, size_t *bytes) {
    pthread_mutex_lock(&spare_lock);
    *buffer = spares > 0 ? spare[--spares] : NULL;
    pthread_mutex_unlock(&spare_lock);
    if (*buffer == NULL) *buffer = malloc(BYTES);
    *bytes = *buffer != NULL ? BYTES : 0;
}

static void complete(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin, int owned) {
    if (buffer != NULL && bytes > 0) {
        ompt_buffer_cursor_t cursor = begin;
        unsigned long long seen = 0;
        do seen++;
        while (advance(NULL, buffer, bytes, cursor, &cursor));
        __atomic_fetch_add(&records, seen, __ATOMIC_RELAXED);
    }
    if (!owned || buffer == NULL) return;
    pthread_mutex_lock(&spare_lock);
    if (spares < MOST) spare[spares++] = buffer, buffer = NULL;
    pthread_mutex_unlock(&spare_lock);
    free(buffer);
}

static void device_initialize(int number, const char *type, ompt_device_t *device, ompt_function_lookup_t lookup,
                              const char *documentation) {
    if (lookup == NULL) return;
    ompt_set_trace_ompt_t set = (ompt_set_trace_ompt_t)lookup("ompt_set_trace_ompt");
    ompt_start_trace_t start = (ompt_start_trace_t)lookup("ompt_start_trace");
    advance = (ompt_advance_buffer_cursor_t)lookup("ompt_advance_buffer_cursor");
    if (set == NULL || start == NULL || advance == NULL) return;
    set(device, 1, 0);
    start(device, request, complete);
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    set_callback(ompt_callback_device_initialize, (ompt_callback_t)device_initialize);
    return 1;
}

// The runner reads this line.
static void finalize(ompt_data_t *data) {
    fprintf(stderr, "tool: %llu events\n", __atomic_load_n(&records, __ATOMIC_RELAXED));
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return &result;
}
