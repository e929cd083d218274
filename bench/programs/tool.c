// An OMPT tool that registers every event of OpenMP 5.1. Its callbacks do nothing, or, with -DCOUNT, count how often each event
// came; `examples/` has the same two tools in Rust.

#include <omp-tools.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#ifdef COUNT
static uint64_t counts[38];
// Threads may lose counts to each other, which costs nothing and changes nothing in what is measured.
#define EVENT(number) __atomic_store_n(&counts[number], __atomic_load_n(&counts[number], __ATOMIC_RELAXED) + 1, __ATOMIC_RELAXED)
#else
#define EVENT(number) (void)0
#endif

#define CALLBACK(name, number, ...)                                                                                              \
    static void on_##name(__VA_ARGS__) { EVENT(number); }

CALLBACK(thread_begin, 1, ompt_thread_t a, ompt_data_t *b)
CALLBACK(thread_end, 2, ompt_data_t *a)
CALLBACK(parallel_begin, 3, ompt_data_t *a, const ompt_frame_t *b, ompt_data_t *c, unsigned d, int e, const void *f)
CALLBACK(parallel_end, 4, ompt_data_t *a, ompt_data_t *b, int c, const void *d)
CALLBACK(task_create, 5, ompt_data_t *a, const ompt_frame_t *b, ompt_data_t *c, int d, int e, const void *f)
CALLBACK(task_schedule, 6, ompt_data_t *a, ompt_task_status_t b, ompt_data_t *c)
CALLBACK(implicit_task, 7, ompt_scope_endpoint_t a, ompt_data_t *b, ompt_data_t *c, unsigned d, unsigned e, int f)
CALLBACK(target, 8, ompt_target_t a, ompt_scope_endpoint_t b, int c, ompt_data_t *d, ompt_id_t e, const void *f)
CALLBACK(target_data_op, 9, ompt_id_t a, ompt_id_t b, ompt_target_data_op_t c, void *d, int e, void *f, int g, size_t h,
         const void *i)
CALLBACK(target_submit, 10, ompt_id_t a, ompt_id_t b, unsigned c)
static int on_control_tool(uint64_t a, uint64_t b, void *c, const void *d) {
    EVENT(11);
    return 1;
}
CALLBACK(device_initialize, 12, int a, const char *b, ompt_device_t *c, ompt_function_lookup_t d, const char *e)
CALLBACK(device_finalize, 13, int a)
CALLBACK(device_load, 14, int a, const char *b, int64_t c, void *d, size_t e, void *f, void *g, uint64_t h)
CALLBACK(device_unload, 15, int a, uint64_t b)
CALLBACK(sync_region_wait, 16, ompt_sync_region_t a, ompt_scope_endpoint_t b, ompt_data_t *c, ompt_data_t *d, const void *e)
CALLBACK(mutex_released, 17, ompt_mutex_t a, ompt_wait_id_t b, const void *c)
CALLBACK(dependences, 18, ompt_data_t *a, const ompt_dependence_t *b, int c)
CALLBACK(task_dependence, 19, ompt_data_t *a, ompt_data_t *b)
CALLBACK(work, 20, ompt_work_t a, ompt_scope_endpoint_t b, ompt_data_t *c, ompt_data_t *d, uint64_t e, const void *f)
CALLBACK(masked, 21, ompt_scope_endpoint_t a, ompt_data_t *b, ompt_data_t *c, const void *d)
CALLBACK(target_map, 22, ompt_id_t a, unsigned b, void **c, void **d, size_t *e, unsigned *f, const void *g)
CALLBACK(sync_region, 23, ompt_sync_region_t a, ompt_scope_endpoint_t b, ompt_data_t *c, ompt_data_t *d, const void *e)
CALLBACK(lock_init, 24, ompt_mutex_t a, unsigned b, unsigned c, ompt_wait_id_t d, const void *e)
CALLBACK(lock_destroy, 25, ompt_mutex_t a, ompt_wait_id_t b, const void *c)
CALLBACK(mutex_acquire, 26, ompt_mutex_t a, unsigned b, unsigned c, ompt_wait_id_t d, const void *e)
CALLBACK(mutex_acquired, 27, ompt_mutex_t a, ompt_wait_id_t b, const void *c)
CALLBACK(nest_lock, 28, ompt_scope_endpoint_t a, ompt_wait_id_t b, const void *c)
CALLBACK(flush, 29, ompt_data_t *a, const void *b)
CALLBACK(cancel, 30, ompt_data_t *a, int b, const void *c)
CALLBACK(reduction, 31, ompt_sync_region_t a, ompt_scope_endpoint_t b, ompt_data_t *c, ompt_data_t *d, const void *e)
CALLBACK(dispatch, 32, ompt_data_t *a, ompt_data_t *b, ompt_dispatch_t c, ompt_data_t d)
CALLBACK(target_emi, 33, ompt_target_t a, ompt_scope_endpoint_t b, int c, ompt_data_t *d, ompt_data_t *e, ompt_data_t *f,
         const void *g)
CALLBACK(target_data_op_emi, 34, ompt_scope_endpoint_t a, ompt_data_t *b, ompt_data_t *c, ompt_id_t *d, ompt_target_data_op_t e,
         void *f, int g, void *h, int i, size_t j, const void *k)
CALLBACK(target_submit_emi, 35, ompt_scope_endpoint_t a, ompt_data_t *b, ompt_id_t *c, unsigned d)
CALLBACK(target_map_emi, 36, ompt_data_t *a, unsigned b, void **c, void **d, size_t *e, unsigned *f, const void *g)
CALLBACK(error, 37, ompt_severity_t a, const char *b, size_t c, const void *d)

#define REGISTER(name) set_callback(ompt_callback_##name, (ompt_callback_t)on_##name)

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
    ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
    REGISTER(thread_begin), REGISTER(thread_end), REGISTER(parallel_begin), REGISTER(parallel_end), REGISTER(task_create);
    REGISTER(task_schedule), REGISTER(implicit_task), REGISTER(target), REGISTER(target_data_op), REGISTER(target_submit);
    REGISTER(control_tool), REGISTER(device_initialize), REGISTER(device_finalize), REGISTER(device_load);
    REGISTER(device_unload), REGISTER(sync_region_wait), REGISTER(mutex_released), REGISTER(dependences);
    REGISTER(task_dependence), REGISTER(work), REGISTER(masked), REGISTER(target_map), REGISTER(sync_region);
    REGISTER(lock_init), REGISTER(lock_destroy), REGISTER(mutex_acquire), REGISTER(mutex_acquired), REGISTER(nest_lock);
    REGISTER(flush), REGISTER(cancel), REGISTER(reduction), REGISTER(dispatch), REGISTER(target_emi);
    REGISTER(target_data_op_emi), REGISTER(target_submit_emi), REGISTER(target_map_emi), REGISTER(error);
    return 1;
}

// The runner reads this line: a tool that was not active prints none.
static void finalize(ompt_data_t *data) {
#ifdef COUNT
    uint64_t sum = 0;
    for (int i = 0; i < 38; i++) sum += counts[i];
    fprintf(stderr, "tool: %llu events\n", (unsigned long long)sum);
#else
    fprintf(stderr, "tool: empty\n");
#endif
}

ompt_start_tool_result_t *ompt_start_tool(unsigned omp_version, const char *runtime_version) {
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    return &result;
}
