// A program with a tool in it, which keeps what the entry points tell it, at each event, where LLVM's plug-in for gdb looks for it.
#include <omp-tools.h>
#include <omp.h>
#include <stdint.h>
#include <stdio.h>

__thread struct {
    ompt_state_t ompt_state;
    ompt_wait_id_t ompt_wait_id;
    int omp_thread_num;
    ompt_data_t *ompt_thread_data;
    int omp_num_threads;
    int omp_level;
    int omp_active_level;
    ompt_data_t *ompt_parallel_data;
    int omp_parallel;
    int omp_final;
    int omp_max_active_levels;
    ompt_frame_t *ompt_frame_list;
    ompt_data_t *ompt_task_data;
} thread_data;

static ompt_get_state_t get_state;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;
static uint64_t next = 1;

static void name(ompt_data_t *data)
{
    data->value = __atomic_fetch_add(&next, 1, __ATOMIC_RELAXED);
}

__attribute__((noinline)) void compare_here(void)
{
    __asm__ volatile("" ::: "memory");
}

static void look(void)
{
    int flags;
    ompt_data_t *parallel;
    thread_data.ompt_state = (ompt_state_t)get_state(&thread_data.ompt_wait_id);
    thread_data.ompt_thread_data = get_thread_data();
    if (get_parallel_info(0, &thread_data.ompt_parallel_data, &thread_data.omp_num_threads) != 2
        || get_task_info(0, &flags, &thread_data.ompt_task_data, &thread_data.ompt_frame_list, &parallel,
                         &thread_data.omp_thread_num)
               != 2)
        return;
    thread_data.omp_level = omp_get_level();
    thread_data.omp_active_level = omp_get_active_level();
    thread_data.omp_parallel = omp_in_parallel();
    thread_data.omp_final = omp_in_final();
    thread_data.omp_max_active_levels = omp_get_max_active_levels();
    compare_here();
}

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *thread)
{
    (void)kind;
    name(thread);
}

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned threads, int flags,
                              const void *codeptr)
{
    (void)task, (void)frame, (void)threads, (void)flags, (void)codeptr;
    name(parallel);
    look();
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned threads,
                             unsigned index, int flags)
{
    (void)parallel, (void)threads, (void)index, (void)flags;
    // At its end a worker's region may be over.
    if (endpoint == ompt_scope_begin) {
        name(task);
        look();
    }
}

static void on_task_create(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *new_task, int flags, int dependences,
                           const void *codeptr)
{
    (void)task, (void)frame, (void)flags, (void)dependences, (void)codeptr;
    name(new_task);
    look();
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *task)
{
    (void)prior, (void)status, (void)task;
    look();
}

static void on_mutex_acquire(ompt_mutex_t kind, unsigned hint, unsigned impl, ompt_wait_id_t id, const void *codeptr)
{
    (void)kind, (void)hint, (void)impl, (void)id, (void)codeptr;
    look();
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data)
{
    (void)device, (void)data;
    get_state = (ompt_get_state_t)lookup("ompt_get_state");
    get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
    get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
    get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
    ompt_set_callback_t set = (ompt_set_callback_t)lookup("ompt_set_callback");
    set(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
    set(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
    set(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
    set(ompt_callback_task_create, (ompt_callback_t)on_task_create);
    set(ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule);
    set(ompt_callback_mutex_acquire, (ompt_callback_t)on_mutex_acquire);
    return 1;
}

static void finalize(ompt_data_t *data)
{
    (void)data;
}

ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime)
{
    static ompt_start_tool_result_t result = {initialize, finalize, {0}};
    (void)version, (void)runtime;
    return &result;
}

static int fib(int n)
{
    int a, b;
    if (n < 2)
        return n;
#pragma omp task shared(a) final(n < 4)
    a = fib(n - 1);
#pragma omp task shared(b) if (n & 1)
    b = fib(n - 2);
#pragma omp taskwait
    return a + b;
}

int main(void)
{
    int sum = 0;
    omp_set_max_active_levels(3);
#pragma omp parallel num_threads(2)
    {
#pragma omp parallel num_threads(2)
        {
#pragma omp critical
            sum++;
        }
#pragma omp single
        {
            int found = fib(5);
#pragma omp atomic
            sum += found;
        }
    }
#pragma omp parallel num_threads(1)
    look();
    return sum != 9;
}
