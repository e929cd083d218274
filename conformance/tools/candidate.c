// A tool that says what happens to it, one line each on stderr, and counts parallel regions. Its name is NAME.
// One definition changes its behaviour:
//   NO_START          there is no ompt_start_tool at all
//   DECLINE           ompt_start_tool answers NULL
//   NO_INITIALIZER    the initializer is NULL
//   REFUSE            the initializer answers 0
//   CALLS_OMP         initializer, callbacks and finalizer call OpenMP's own routines
//   CONSTRUCTOR       calls one when its library is loaded
//   HELPER            the initializer waits for a thread of its own that calls one
//   END_IN_CALLBACK   the first parallel_begin ends the tool
//   END_IN_INITIALIZER  the initializer ends the tool
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

#ifndef NAME
#define NAME candidate
#endif
#define TEXT_OF(name) #name
#define TEXT(name) TEXT_OF(name)
#define SAY(format, ...) fprintf(stderr, TEXT(NAME) ": " format "\n", __VA_ARGS__)

static ompt_finalize_tool_t candidate_finalize_tool;
static atomic_int candidate_regions;
static atomic_int candidate_other;
static ompt_start_tool_result_t candidate_result;

static int call_omp(const char *name) {
  int (*routine)(void) = (int (*)(void))dlsym(RTLD_DEFAULT, name);
  return routine ? routine() : -1;
}

#ifdef CONSTRUCTOR
__attribute__((constructor)) static void construct(void) {
  SAY("constructor: threads %d", call_omp("omp_get_num_threads"));
}
#endif

#ifdef HELPER
static void *help(void *unused) {
  SAY("helper: threads %d", call_omp("omp_get_num_threads"));
  return unused;
}
#endif

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned int requested,
                              int flags, const void *code) {
  atomic_fetch_add(&candidate_regions, 1);
#ifdef CALLS_OMP
  SAY("in a callback: level %d, threads %d", call_omp("omp_get_level"), call_omp("omp_get_num_threads"));
#endif
#ifdef END_IN_CALLBACK
  candidate_finalize_tool();
  SAY("%s", "ended itself");
#endif
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code) {
  atomic_fetch_add(&candidate_other, 1);
#ifdef END_IN_CALLBACK
  SAY("%s", "an event after its end");
#endif
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned int size,
                             unsigned int index, int flags) {
  atomic_fetch_add(&candidate_other, 1);
#ifdef CALLS_OMP
  if (endpoint == ompt_scope_begin && !(flags & ompt_task_initial) && call_omp("omp_get_thread_num") != (int)index)
    SAY("omp_get_thread_num is %d in the implicit task %u", call_omp("omp_get_thread_num"), index);
#endif
}

static int initialize(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *tool_data) {
  SAY("initialize, device %d, data %s", initial_device, tool_data == &candidate_result.tool_data ? "its own" : "foreign");
#ifdef CALLS_OMP
  SAY("max_threads %d, num_procs %s, in_parallel %d", call_omp("omp_get_max_threads"),
      call_omp("omp_get_num_procs") > 0 ? "positive" : "not positive", call_omp("omp_in_parallel"));
#endif
  ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  candidate_finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
  set_callback(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
  set_callback(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
  set_callback(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
#ifdef HELPER
  pthread_t thread;
  pthread_create(&thread, NULL, help, NULL);
  pthread_join(thread, NULL);
#endif
#ifdef END_IN_INITIALIZER
  candidate_finalize_tool();
#endif
#ifdef REFUSE
  return 0;
#else
  return 1;
#endif
}

static void finalize(ompt_data_t *tool_data) {
#ifdef CALLS_OMP
  SAY("in the finalizer: threads %d", call_omp("omp_get_num_threads"));
#endif
  SAY("finalize after %d regions, data %s", atomic_load(&candidate_regions),
      tool_data == &candidate_result.tool_data ? "its own" : "foreign");
}

#ifndef NO_START
ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version) {
  SAY("start %u on <%s>", omp_version, runtime_version);
#ifdef NO_INITIALIZER
  candidate_result.initialize = NULL;
#else
  candidate_result.initialize = initialize;
#endif
  candidate_result.finalize = finalize;
#ifdef DECLINE
  return NULL;
#else
  return &candidate_result;
#endif
}
#endif
