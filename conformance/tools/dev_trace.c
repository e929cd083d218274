// A tool that traces every device, as the variables say, and prints every record: one line each, on standard output, when its buffer
// is completed; then what it has counted.
//   TRACE_BYTES=n     size of its buffers (4096)      TRACE_BUFFERS=n  so many buffers, then none; TRACE_ZERO=1: with 0 bytes, not NULL
//   TRACE_SLOW=us     completion callbacks take long   TRACE_FLUSH=1    flushes from both callbacks for buffers
//   TRACE_EVENTS=n,n  these events alone (0: all)      TRACE_NATIVE=n   native records with these flags
//   TRACE_EXIT=n      the n-th completion callback calls exit(3)     TRACE_STOP=n  the n-th stops the trace
//   TRACE_PAUSE=1     pauses the trace, and control_tool(1) starts a trace anew, (2) pauses, (3) continues, (4) flushes, (5) stops;
//   TRACE_DEAF=1      no callback for control_tool     TRACE_WORD=n     writes n to the word of the task that
// encounters a construct
//   TRACE_LATE=us     the callback for a construct's begin or end takes long
#define _GNU_SOURCE
#include <omp-tools.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEVICES = 8 };
static struct {
    ompt_device_t *device;
    unsigned long long requested, completed, empty, records;
} devices[DEVICES];
static int number(const char *name, int otherwise) {
    const char *text = getenv(name);
    return text ? atoi(text) : otherwise;
}

static ompt_set_trace_ompt_t set_ompt;
static ompt_set_trace_native_t set_native;
static ompt_start_trace_t start;
static ompt_pause_trace_t pause_trace;
static ompt_flush_trace_t flush;
static ompt_stop_trace_t stop;
static ompt_advance_buffer_cursor_t advance;
static ompt_get_record_type_t record_type;
static ompt_get_record_ompt_t record_ompt;
static ompt_get_record_native_t record_native;
static ompt_get_record_abstract_t record_abstract;
static ompt_translate_time_t translate;
static ompt_get_device_time_t device_time;
static ompt_get_thread_data_t thread_data;
static unsigned long long (*dropped)(ompt_device_t *);
static int quiet, from_openmp_threads;
static __thread int inside;

static void request(int device, ompt_buffer_t **buffer, size_t *bytes) {
    static unsigned long long all;
    int most = number("TRACE_BUFFERS", -1);
    unsigned long long before = __atomic_fetch_add(&all, 1, __ATOMIC_RELAXED);
    if (number("TRACE_FLUSH", 0) && !inside) {
        inside = 1;
        flush(devices[device].device);
        inside = 0;
    }
    if (most >= 0 && before >= (unsigned long long)most) {
        *buffer = number("TRACE_ZERO", 0) ? malloc(1) : NULL;
        *bytes = number("TRACE_ZERO", 0) ? 0 : 4096;
        return;
    }
    *bytes = number("TRACE_BYTES", 4096);
    *buffer = malloc(*bytes);
    __atomic_fetch_add(&devices[device].requested, 1, __ATOMIC_RELAXED);
}

static void print(int device, ompt_record_ompt_t *r) {
    double seconds = translate(devices[device].device, r->time);
    if (seconds <= 0) printf("no time\n");
    printf("device %d type %d thread %llu target %llu ", device, r->type, (unsigned long long)r->thread_id,
           (unsigned long long)r->target_id);
    switch (r->type) {
    case ompt_callback_target:
    case ompt_callback_target_emi:
        printf("target kind %d endpoint %d device %d id %llu task %llu", r->record.target.kind, r->record.target.endpoint,
               r->record.target.device_num, (unsigned long long)r->record.target.target_id,
               (unsigned long long)r->record.target.task_id);
        break;
    case ompt_callback_target_data_op:
    case ompt_callback_target_data_op_emi:
        printf("data_op kind %d bytes %zu from %d to %d late %d op %d", r->record.target_data_op.optype,
               r->record.target_data_op.bytes, r->record.target_data_op.src_device_num, r->record.target_data_op.dest_device_num,
               r->record.target_data_op.end_time < r->time, r->record.target_data_op.host_op_id != 0);
        break;
    case ompt_callback_target_submit:
    case ompt_callback_target_submit_emi:
        printf("kernel asked %u granted %u late %d op %d", r->record.target_kernel.requested_num_teams,
               r->record.target_kernel.granted_num_teams, r->record.target_kernel.end_time < r->time,
               r->record.target_kernel.host_op_id != 0);
        break;
    case ompt_callback_target_map:
    case ompt_callback_target_map_emi:
        for (unsigned i = 0; i < r->record.target_map.nitems; i++)
            printf("map %zu flags %u ", r->record.target_map.bytes[i], r->record.target_map.mapping_flags[i]);
        break;
    case ompt_callback_thread_begin: printf("thread_begin kind %d", r->record.thread_begin.thread_type); break;
    case ompt_callback_implicit_task:
        printf("implicit_task endpoint %d parallel %llu task %llu of %u index %u flags %d", r->record.implicit_task.endpoint,
               (unsigned long long)r->record.implicit_task.parallel_id, (unsigned long long)r->record.implicit_task.task_id,
               r->record.implicit_task.actual_parallelism, r->record.implicit_task.index, r->record.implicit_task.flags);
        break;
    case ompt_callback_parallel_begin:
        printf("parallel_begin %llu by %llu", (unsigned long long)r->record.parallel_begin.parallel_id,
               (unsigned long long)r->record.parallel_begin.encountering_task_id);
        break;
    case ompt_callback_parallel_end:
        printf("parallel_end %llu", (unsigned long long)r->record.parallel_end.parallel_id);
        break;
    case ompt_callback_work:
        printf("work %d endpoint %d count %llu", r->record.work.work_type, r->record.work.endpoint,
               (unsigned long long)r->record.work.count);
        break;
    case ompt_callback_dispatch:
        printf("dispatch %d", r->record.dispatch.kind);
        if (r->record.dispatch.kind == ompt_dispatch_ws_loop_chunk || r->record.dispatch.kind == ompt_dispatch_taskloop_chunk) {
            ompt_dispatch_chunk_t *chunk = r->record.dispatch.instance.ptr;
            printf(" from %llu %llu", (unsigned long long)chunk->start, (unsigned long long)chunk->iterations);
        }
        break;
    case ompt_callback_task_create:
        printf("task_create %llu by %llu", (unsigned long long)r->record.task_create.new_task_id,
               (unsigned long long)r->record.task_create.encountering_task_id);
        break;
    case ompt_callback_dependences:
        printf("dependence %d of %d", r->record.dependences.dep.dependence_type, r->record.dependences.ndeps);
        break;
    case ompt_callback_task_schedule:
        printf("task_schedule %llu status %d %llu", (unsigned long long)r->record.task_schedule.prior_task_id,
               r->record.task_schedule.prior_task_status, (unsigned long long)r->record.task_schedule.next_task_id);
        break;
    default: printf("event"); break;
    }
    printf("\n");
}

static void complete(int device, ompt_buffer_t *buffer, size_t bytes, ompt_buffer_cursor_t begin, int owned) {
    if (thread_data() != NULL) from_openmp_threads++;
    if (number("TRACE_SLOW", 0)) usleep(number("TRACE_SLOW", 0));
    if (number("TRACE_FLUSH", 0)) flush(devices[device].device);
    unsigned long long completed = ++devices[device].completed;
    if (completed == (unsigned long long)number("TRACE_STOP", 0)) stop(devices[device].device);
    if (!owned) printf("not owned\n");
    if (bytes != (size_t)number("TRACE_BYTES", 4096)) printf("not the whole buffer\n");
    if (record_type(buffer, begin) == ompt_record_invalid) {
        devices[device].empty++;
    } else {
        ompt_buffer_cursor_t cursor = begin;
        do {
            devices[device].records++;
            ompt_record_ompt_t *record = record_ompt(buffer, cursor);
            if (record == NULL) {
                ompt_id_t op = 0;
                if (record_type(buffer, cursor) != ompt_record_native) printf("what is it?\n");
                void *native = record_native(buffer, cursor, &op);
                ompt_record_abstract_t *abstract = record_abstract(native);
                printf("device %d native class %d %s op %d late %d\n", device, abstract->rclass, abstract->type, op != 0,
                       abstract->end_time < abstract->start_time);
            } else if (!quiet) {
                print(device, record);
            }
        } while (advance(NULL, buffer, bytes, cursor, &cursor));
    }
    if (owned) free(buffer);
    if (completed == (unsigned long long)number("TRACE_EXIT", 0)) exit(3);
}

static void device_initialize(int device, const char *type, ompt_device_t *handle, ompt_function_lookup_t lookup,
                              const char *documentation) {
    devices[device].device = handle;
    set_ompt = (ompt_set_trace_ompt_t)lookup("ompt_set_trace_ompt");
    set_native = (ompt_set_trace_native_t)lookup("ompt_set_trace_native");
    start = (ompt_start_trace_t)lookup("ompt_start_trace");
    pause_trace = (ompt_pause_trace_t)lookup("ompt_pause_trace");
    flush = (ompt_flush_trace_t)lookup("ompt_flush_trace");
    stop = (ompt_stop_trace_t)lookup("ompt_stop_trace");
    advance = (ompt_advance_buffer_cursor_t)lookup("ompt_advance_buffer_cursor");
    record_type = (ompt_get_record_type_t)lookup("ompt_get_record_type");
    record_ompt = (ompt_get_record_ompt_t)lookup("ompt_get_record_ompt");
    record_native = (ompt_get_record_native_t)lookup("ompt_get_record_native");
    record_abstract = (ompt_get_record_abstract_t)lookup("ompt_get_record_abstract");
    translate = (ompt_translate_time_t)lookup("ompt_translate_time");
    device_time = (ompt_get_device_time_t)lookup("ompt_get_device_time");
    dropped = (unsigned long long (*)(ompt_device_t *))lookup("ferromp_get_dropped_records");
    if (((ompt_get_device_num_procs_t)lookup("ompt_get_device_num_procs"))(handle) < 1) printf("no processors\n");
    quiet = number("TRACE_QUIET", 0);
    const char *events = getenv("TRACE_EVENTS");
    for (; events && *events; events += strcspn(events, ","), events += *events == ',') set_ompt(handle, 1, atoi(events));
    if (number("TRACE_NATIVE", -1) >= 0) set_native(handle, 1, number("TRACE_NATIVE", 0));
    if (!start(handle, request, complete)) printf("cannot be started\n");
    if (number("TRACE_PAUSE", 0)) pause_trace(handle, 1);
}

static int control_tool(uint64_t command, uint64_t modifier, void *arg, const void *codeptr_ra) {
    ompt_device_t *device = devices[modifier].device;
    switch (command) {
    case 1: return start(device, request, complete);
    case 2: return pause_trace(device, 1);
    case 3: return pause_trace(device, 0);
    case 4: return flush(device);
    case 5: return stop(device);
    default: return 0;
    }
}

static void target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task, ompt_data_t *target_task,
                   ompt_data_t *target_data, const void *codeptr_ra) {
    if (number("TRACE_WORD", 0)) task->value = number("TRACE_WORD", 0);
    if (number("TRACE_LATE", 0)) usleep(number("TRACE_LATE", 0));
}

static void summary(int device, const char *when) {
    printf("%s: device %d buffers %llu completed %llu empty %llu records %llu dropped %llu\n", when, device, devices[device].requested,
           devices[device].completed, devices[device].empty, devices[device].records, dropped(devices[device].device));
}

static void device_finalize(int device) { summary(device, "finalize"); }

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    set_callback(ompt_callback_device_initialize, (ompt_callback_t)device_initialize);
    set_callback(ompt_callback_device_finalize, (ompt_callback_t)device_finalize);
    if (number("TRACE_WORD", 0) || number("TRACE_LATE", 0)) set_callback(ompt_callback_target_emi, (ompt_callback_t)target);
    if (!number("TRACE_DEAF", 0)) set_callback(ompt_callback_control_tool, (ompt_callback_t)control_tool);
    return 1;
}

static void finalize(ompt_data_t *data) {
    if (from_openmp_threads) printf("%d completions on threads of OpenMP's\n", from_openmp_threads);
    for (int device = 0; device < DEVICES; device++)
        if (devices[device].device) summary(device, "end");
    fflush(stdout);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return &result;
}
