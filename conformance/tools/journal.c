// An OMPT tool that writes down every host event, one line each, in the order in which they happened:
//
//     thread event key=value …
//
// `thread` is the tool's number of the thread, -1 for one that it has heard nothing of. Data words hold numbers that the
// tool gave them at the begin; 0 means that the word was empty, `null` that there was none. Addresses of code are
// `file+0xoffset`. Every line ends with the thread's state. Dependences are `kind:name,kind:name,…`, kinds as numbers of
// ompt_dependence_type_t; a variable's name is `v1`, `v2`, … by first appearance in the run, so that one address keeps one
// name (`all` without an address); for `source` and `sink` it is the value itself. Chunks (dispatch) have `start` and
// `iterations` instead of `instance`. Messages have underscores for blanks. The lines go to the file that JOURNAL names when the tool
// is finalized; what comes after that is appended to it as lines of the event `late`.
//
// Of the events of target constructs the callbacks with begin and end are registered (`form=emi`), or with JOURNAL_TARGET=plain the
// others (`form=plain`), with `both` both. `id`, `info_device` and `info_op` are what ompt_get_target_info answers (`none` where it
// answers 0), and `current`, `current_flags` and `around` are the current task and the one around it (ompt_get_task_info). Addresses of
// data are named as variables are; `none` is an unknown address.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp-tools.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "journal.h"

enum { LINES = 400000, WIDTH = 480 };

static char lines[LINES][WIDTH];
static atomic_int line_count;
static atomic_int thread_count;
static atomic_int finalized;
static atomic_uint_fast64_t next_data = 1;
static _Thread_local int thread_number = -1;
static ompt_data_t *tool_word;

static ompt_set_callback_t set_callback;
static ompt_get_state_t get_state;
static ompt_get_task_info_t get_task_info;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_thread_data_t get_thread_data;
static ompt_finalize_tool_t finalize_tool;
static ompt_get_target_info_t get_target_info;

static const char *path(void) {
  const char *given = getenv("JOURNAL");
  return given ? given : "/dev/stderr";
}

static void line(const char *format, ...) {
  char text[WIDTH];
  int length = snprintf(text, sizeof text, "%d ", thread_number);
  va_list arguments;
  va_start(arguments, format);
  length += vsnprintf(text + length, sizeof text - length, format, arguments);
  va_end(arguments);
  if (get_state && length < WIDTH) {
    ompt_wait_id_t wait = 0;
    int state = get_state(&wait);
    snprintf(text + length, sizeof text - length, " state=0x%x", state);
  }
  if (atomic_load(&finalized)) {
    FILE *file = fopen(path(), "a");
    if (file) {
      fprintf(file, "%d late what=%s\n", thread_number, strchr(text, ' ') + 1);
      fclose(file);
    }
    return;
  }
  int index = atomic_fetch_add(&line_count, 1);
  if (index < LINES)
    memcpy(lines[index], text, WIDTH);
}

// `file+0xoffset` of an address; the texts of one line need different buffers.
static const char *place(const void *address, char *text, size_t room) {
  Dl_info info;
  if (!address)
    snprintf(text, room, "null");
  else if (dladdr(address, &info) && info.dli_fname)
    snprintf(text, room, "%s+0x%lx", strrchr(info.dli_fname, '/') ? strrchr(info.dli_fname, '/') + 1 : info.dli_fname,
             (unsigned long)((const char *)address - (const char *)info.dli_fbase));
  else
    snprintf(text, room, "?+%p", address);
  return text;
}
#define PLACE(address) place(address, (char[160]){0}, 160)

static const char *word(const ompt_data_t *data, char *text, size_t room) {
  if (data)
    snprintf(text, room, "%lu", (unsigned long)data->value);
  else
    snprintf(text, room, "null");
  return text;
}
#define WORD(data) word(data, (char[24]){0}, 24)

static void name_data(ompt_data_t *data) {
  if (data)
    data->value = atomic_fetch_add(&next_data, 1);
}

static const char *endpoint_name(ompt_scope_endpoint_t endpoint) {
  return endpoint == ompt_scope_begin ? "begin" : endpoint == ompt_scope_end ? "end" : "beginend";
}

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *thread_data) {
  thread_number = atomic_fetch_add(&thread_count, 1);
  int empty = thread_data && thread_data->value == 0;
  name_data(thread_data);
  line("thread_begin kind=%d data=%s empty=%d same=%d", kind, WORD(thread_data), empty, get_thread_data() == thread_data);
}

static void on_thread_end(ompt_data_t *thread_data) { line("thread_end data=%s", WORD(thread_data)); }

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned int requested,
                              int flags, const void *code) {
  int empty = parallel && parallel->value == 0;
  name_data(parallel);
  line("parallel_begin task=%s enter=%p exit=%p enter_flags=0x%x parallel=%s empty=%d requested=%u flags=0x%x code=%s",
       WORD(task), frame ? frame->enter_frame.ptr : NULL, frame ? frame->exit_frame.ptr : NULL,
       frame ? frame->enter_frame_flags : 0, WORD(parallel), empty, requested, flags, PLACE(code));
}

static void on_parallel_end(ompt_data_t *parallel, ompt_data_t *task, int flags, const void *code) {
  line("parallel_end parallel=%s task=%s flags=0x%x code=%s", WORD(parallel), WORD(task), flags, PLACE(code));
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned int size,
                             unsigned int index, int flags) {
  int empty = task && task->value == 0;
  if (endpoint == ompt_scope_begin) {
    if ((flags & ompt_task_initial) && parallel && parallel->value == 0)
      name_data(parallel);
    name_data(task);
  }
  int current_flags = 0;
  ompt_data_t *current = NULL;
  int answer = get_task_info(0, &current_flags, &current, NULL, NULL, NULL);
  line("implicit_task at=%s parallel=%s task=%s empty=%d size=%u index=%u flags=0x%x info=%d same=%d info_flags=0x%x",
       endpoint_name(endpoint), WORD(parallel), WORD(task), empty, size, index, flags, answer, current == task,
       current_flags);
}

static void on_task_create(ompt_data_t *outer, const ompt_frame_t *frame, ompt_data_t *new_task, int flags,
                           int has_dependences, const void *code) {
  int empty = new_task && new_task->value == 0;
  name_data(new_task);
  line("task_create outer=%s enter=%p task=%s empty=%d flags=0x%x dependences=%d code=%s", WORD(outer),
       frame ? frame->enter_frame.ptr : NULL, WORD(new_task), empty, flags, has_dependences, PLACE(code));
}

static void on_task_schedule(ompt_data_t *prior, ompt_task_status_t status, ompt_data_t *next) {
  line("task_schedule prior=%s status=%d next=%s", WORD(prior), status, WORD(next));
}

static void sync_event(const char *event, ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint,
                       ompt_data_t *parallel, ompt_data_t *task, const void *code) {
  line("%s kind=%d at=%s parallel=%s task=%s code=%s", event, kind, endpoint_name(endpoint), WORD(parallel), WORD(task),
       PLACE(code));
}

static void on_sync_region(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                           ompt_data_t *task, const void *code) {
  sync_event("sync_region", kind, endpoint, parallel, task, code);
}

static void on_sync_region_wait(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                                ompt_data_t *task, const void *code) {
  sync_event("sync_region_wait", kind, endpoint, parallel, task, code);
}

static void on_work(ompt_work_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task,
                    uint64_t count, const void *code) {
  line("work kind=%d at=%s parallel=%s task=%s count=%lu code=%s", kind, endpoint_name(endpoint), WORD(parallel),
       WORD(task), (unsigned long)count, PLACE(code));
}

static void on_masked(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, const void *code) {
  line("masked at=%s parallel=%s task=%s code=%s", endpoint_name(endpoint), WORD(parallel), WORD(task), PLACE(code));
}

static void on_mutex_acquire(ompt_mutex_t kind, unsigned int hint, unsigned int impl, ompt_wait_id_t id,
                             const void *code) {
  line("mutex_acquire kind=%d hint=%u impl=%u id=0x%lx code=%s", kind, hint, impl, (unsigned long)id, PLACE(code));
}

static void on_mutex_acquired(ompt_mutex_t kind, ompt_wait_id_t id, const void *code) {
  line("mutex_acquired kind=%d id=0x%lx code=%s", kind, (unsigned long)id, PLACE(code));
}

static void on_mutex_released(ompt_mutex_t kind, ompt_wait_id_t id, const void *code) {
  line("mutex_released kind=%d id=0x%lx code=%s", kind, (unsigned long)id, PLACE(code));
}

static void on_lock_init(ompt_mutex_t kind, unsigned int hint, unsigned int impl, ompt_wait_id_t id, const void *code) {
  line("lock_init kind=%d hint=%u impl=%u id=0x%lx code=%s", kind, hint, impl, (unsigned long)id, PLACE(code));
}

static void on_lock_destroy(ompt_mutex_t kind, ompt_wait_id_t id, const void *code) {
  line("lock_destroy kind=%d id=0x%lx code=%s", kind, (unsigned long)id, PLACE(code));
}

static void on_nest_lock(ompt_scope_endpoint_t endpoint, ompt_wait_id_t id, const void *code) {
  line("nest_lock at=%s id=0x%lx code=%s", endpoint_name(endpoint), (unsigned long)id, PLACE(code));
}

// A name of an address that is the same throughout the run.
static int variable_number(const void *address) {
  enum { KNOWN = 4096 };
  static const void *_Atomic known[KNOWN];
  for (int index = 0; index < KNOWN; index++) {
    const void *there = NULL;
    if (atomic_compare_exchange_strong(&known[index], &there, address) || there == address)
      return index + 1;
  }
  return 0;
}

static void on_dependences(ompt_data_t *task, const ompt_dependence_t *list, int count) {
  char text[WIDTH - 80] = "none";
  int length = 0;
  for (int index = 0; index < count && length < (int)sizeof text; index++) {
    ompt_dependence_type_t kind = list[index].dependence_type;
    const char *comma = index ? "," : "";
    if (kind == ompt_dependence_type_source || kind == ompt_dependence_type_sink)
      length += snprintf(text + length, sizeof text - length, "%s%d:%ld", comma, kind, (long)list[index].variable.value);
    else if (list[index].variable.ptr)
      length += snprintf(text + length, sizeof text - length, "%s%d:v%d", comma, kind,
                         variable_number(list[index].variable.ptr));
    else
      length += snprintf(text + length, sizeof text - length, "%s%d:all", comma, kind);
  }
  line("dependences task=%s count=%d list=%s", WORD(task), count, text);
}

static void on_task_dependence(ompt_data_t *source, ompt_data_t *sink) {
  line("task_dependence source=%s sink=%s", WORD(source), WORD(sink));
}

static void on_cancel(ompt_data_t *task, int flags, const void *code) {
  line("cancel task=%s flags=0x%x code=%s", WORD(task), flags, PLACE(code));
}

static void on_dispatch(ompt_data_t *parallel, ompt_data_t *task, ompt_dispatch_t kind, ompt_data_t instance) {
  switch (kind) {
  case ompt_dispatch_ws_loop_chunk:
  case ompt_dispatch_taskloop_chunk:
  case ompt_dispatch_distribute_chunk: {
    const ompt_dispatch_chunk_t *chunk = instance.ptr;
    if (chunk)
      line("dispatch kind=%d parallel=%s task=%s start=%lu iterations=%lu", kind, WORD(parallel), WORD(task),
           (unsigned long)chunk->start, (unsigned long)chunk->iterations);
    else
      line("dispatch kind=%d parallel=%s task=%s start=null iterations=null", kind, WORD(parallel), WORD(task));
    break;
  }
  case ompt_dispatch_section:
    line("dispatch kind=%d parallel=%s task=%s instance=%s", kind, WORD(parallel), WORD(task), PLACE(instance.ptr));
    break;
  default:
    line("dispatch kind=%d parallel=%s task=%s instance=%ld", kind, WORD(parallel), WORD(task), (long)instance.value);
  }
}

static void on_reduction(ompt_sync_region_t kind, ompt_scope_endpoint_t endpoint, ompt_data_t *parallel,
                         ompt_data_t *task, const void *code) {
  sync_event("reduction", kind, endpoint, parallel, task, code);
}

static void on_flush(ompt_data_t *thread_data, const void *code) {
  line("flush data=%s same=%d code=%s", WORD(thread_data), get_thread_data() == thread_data, PLACE(code));
}

static void on_error(ompt_severity_t severity, const char *message, size_t length, const void *code) {
  char text[64];
  snprintf(text, sizeof text, "%s", message ? message : "null");
  for (char *at = text; *at; at++)
    if (*at == ' ')
      *at = '_';
  line("error severity=%d length=%lu message=%s code=%s", severity, (unsigned long)length, text, PLACE(code));
}

// A name of an address of data.
static const char *data_name(const void *address, char *text, size_t room) {
  if (!address)
    snprintf(text, room, "null");
  else if (address == (const void *)-1)
    snprintf(text, room, "none");
  else
    snprintf(text, room, "v%d", variable_number(address));
  return text;
}
#define DATA(address) data_name(address, (char[24]){0}, 24)

// What the runtime answers about the target region that the thread is in.
static const char *target_info(char *text, size_t room) {
  uint64_t device = 99;
  ompt_id_t target = 99, operation = 99;
  if (get_target_info(&device, &target, &operation))
    snprintf(text, room, "id=%lu info_device=%lu info_op=%lu", (unsigned long)target, (unsigned long)device,
             (unsigned long)operation);
  else
    snprintf(text, room, "id=none info_device=none info_op=none");
  return text;
}
#define TARGET_INFO target_info((char[100]){0}, 100)

// The current task and the one around it, as ompt_get_task_info has them.
static const char *current_tasks(char *text, size_t room) {
  int flags = 0;
  ompt_data_t *current = NULL, *around = NULL;
  get_task_info(0, &flags, &current, NULL, NULL, NULL);
  get_task_info(1, NULL, &around, NULL, NULL, NULL);
  snprintf(text, room, "current=%s current_flags=0x%x around=%s", WORD(current), flags, WORD(around));
  return text;
}
#define CURRENT_TASKS current_tasks((char[100]){0}, 100)

static void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                          ompt_data_t *target_task, ompt_data_t *target, const void *code) {
  int empty = target && target->value == 0;
  if (endpoint == ompt_scope_begin)
    name_data(target);
  line("target form=emi kind=%d at=%s device=%d task=%s target_task=%s target=%s empty=%d %s %s code=%s", kind,
       endpoint_name(endpoint), device, WORD(task), WORD(target_task), WORD(target), empty, CURRENT_TASKS, TARGET_INFO,
       PLACE(code));
}

static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task, ompt_id_t target,
                      const void *code) {
  line("target form=plain kind=%d at=%s device=%d task=%s target=%lu %s %s code=%s", kind, endpoint_name(endpoint), device,
       WORD(task), (unsigned long)target, CURRENT_TASKS, TARGET_INFO, PLACE(code));
}

static void on_target_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task, ompt_data_t *target,
                                  ompt_id_t *operation, ompt_target_data_op_t kind, void *source, int source_device,
                                  void *destination, int destination_device, size_t bytes, const void *code) {
  int empty = *operation == 0;
  if (endpoint == ompt_scope_begin)
    *operation = atomic_fetch_add(&next_data, 1);
  line("target_data_op form=emi at=%s target_task=%s target=%s op=%lu empty=%d kind=%d from=%s from_device=%d to=%s to_device=%d "
       "bytes=%lu %s %s code=%s",
       endpoint_name(endpoint), WORD(target_task), WORD(target), (unsigned long)*operation, empty, kind, DATA(source),
       source_device, DATA(destination), destination_device, (unsigned long)bytes, CURRENT_TASKS, TARGET_INFO, PLACE(code));
}

static void on_target_data_op(ompt_id_t target, ompt_id_t operation, ompt_target_data_op_t kind, void *source,
                              int source_device, void *destination, int destination_device, size_t bytes,
                              const void *code) {
  line("target_data_op form=plain target=%lu op=%lu kind=%d from=%s from_device=%d to=%s to_device=%d bytes=%lu %s code=%s",
       (unsigned long)target, (unsigned long)operation, kind, DATA(source), source_device, DATA(destination),
       destination_device, (unsigned long)bytes, TARGET_INFO, PLACE(code));
}

static void on_target_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *operation,
                                 unsigned int teams) {
  int empty = *operation == 0;
  if (endpoint == ompt_scope_begin)
    *operation = atomic_fetch_add(&next_data, 1);
  line("target_submit form=emi at=%s target=%s op=%lu empty=%d teams=%u %s", endpoint_name(endpoint), WORD(target),
       (unsigned long)*operation, empty, teams, TARGET_INFO);
}

static void on_target_submit(ompt_id_t target, ompt_id_t operation, unsigned int teams) {
  line("target_submit form=plain target=%lu op=%lu teams=%u %s", (unsigned long)target, (unsigned long)operation, teams,
       TARGET_INFO);
}

static void target_map(const char *form, const char *target, unsigned int count, void **host, void **device, size_t *bytes,
                       unsigned int *flags, const void *code) {
  for (unsigned int index = 0; index < count; index++)
    line("target_map form=%s target=%s index=%u of=%u host=%s address=%s bytes=%lu flags=0x%x %s code=%s", form, target,
         index, count, DATA(host[index]), DATA(device[index]), (unsigned long)bytes[index], flags[index], TARGET_INFO,
         PLACE(code));
}

static void on_target_map_emi(ompt_data_t *target, unsigned int count, void **host, void **device, size_t *bytes,
                              unsigned int *flags, const void *code) {
  target_map("emi", WORD(target), count, host, device, bytes, flags, code);
}

static void on_target_map(ompt_id_t target, unsigned int count, void **host, void **device, size_t *bytes,
                          unsigned int *flags, const void *code) {
  ompt_data_t data = {.value = target};
  target_map("plain", WORD(&data), count, host, device, bytes, flags, code);
}

static void on_device_initialize(int device, const char *type, ompt_device_t *object, ompt_function_lookup_t lookup,
                                 const char *documentation) {
  char text[100];
  snprintf(text, sizeof text, "%s", type ? type : "null");
  for (char *at = text; *at; at++)
    if (*at == ' ')
      *at = '_';
  line("device_initialize device=%d type=%s object=%d lookup=%d documentation=%lu", device, text, object != NULL,
       lookup != NULL, documentation ? (unsigned long)strlen(documentation) : 0);
}

static void on_device_finalize(int device) { line("device_finalize device=%d", device); }

static void on_device_load(int device, const char *file, int64_t offset, void *vma, size_t bytes, void *host,
                           void *address, uint64_t module) {
  line("device_load device=%d file=%s offset=%ld vma=%s bytes=%lu host=%s address=%s module=%lu", device,
       file ? file : "null", (long)offset, vma == (void *)-1 ? "none" : "known", (unsigned long)bytes, DATA(host),
       DATA(address), (unsigned long)module);
}

static void on_device_unload(int device, uint64_t module) {
  line("device_unload device=%d module=%lu", device, (unsigned long)module);
}

// Command 64 ends the tool from inside this callback.
static int on_control_tool(uint64_t command, uint64_t modifier, void *argument, const void *code) {
  line("control_tool command=%lu modifier=%lu argument=%d code=%s", (unsigned long)command, (unsigned long)modifier,
       argument != NULL, PLACE(code));
  if (command == 64)
    finalize_tool();
  return (int)modifier;
}

void journal_tool_mark(const char *name, uint64_t value) {
  if (set_callback)
    line("mark name=%s value=0x%lx", name, (unsigned long)value);
}

void journal_tool_end(void) {
  if (finalize_tool)
    finalize_tool();
}

int journal_tool_state(uint64_t *wait) { return get_state ? get_state(wait) : -1; }

// Follows what the answers point to, so that a wrong answer shows.
int journal_tool_probe(void) {
  ompt_wait_id_t wait = 0;
  int state = get_state(&wait);
  if (state < 0 || state > ompt_state_undefined)
    return 0;
  for (int level = 0;; level++) {
    int flags = 0, number = -1;
    ompt_data_t *task = NULL, *parallel = NULL;
    ompt_frame_t *frame = NULL;
    if (get_task_info(level, &flags, &task, &frame, &parallel, &number) != 2)
      break;
    if (level > 20 || !task || !frame || !parallel || number < 0 || number > 1000 || !(flags & 0xf))
      return 0;
    if (task->value > atomic_load(&next_data) || parallel->value > atomic_load(&next_data))
      return 0;
  }
  for (int level = 0;; level++) {
    ompt_data_t *parallel = NULL;
    int size = -1;
    if (get_parallel_info(level, &parallel, &size) != 2)
      break;
    if (level > 20 || !parallel || size < 1 || size > 1000 || parallel->value > atomic_load(&next_data))
      return 0;
  }
  return 1;
}

void journal_tool_ancestors(const char *name) {
  if (!set_callback)
    return;
  for (int level = 0; level < 64; level++) {
    int flags = -1, number = -1;
    ompt_data_t *task = NULL, *parallel = NULL;
    ompt_frame_t *frame = NULL;
    int answer = get_task_info(level, &flags, &task, &frame, &parallel, &number);
    if (answer != 2) {
      line("task_end_of_levels name=%s level=%d answer=%d", name, level, answer);
      break;
    }
    line("task name=%s level=%d flags=0x%x task=%s parallel=%s number=%d enter=%p exit=%p enter_flags=0x%x exit_flags=0x%x",
         name, level, flags, WORD(task), WORD(parallel), number, frame ? frame->enter_frame.ptr : NULL,
         frame ? frame->exit_frame.ptr : NULL, frame ? frame->enter_frame_flags : 0, frame ? frame->exit_frame_flags : 0);
  }
  for (int level = 0; level < 64; level++) {
    ompt_data_t *parallel = NULL;
    int size = -1;
    int answer = get_parallel_info(level, &parallel, &size);
    if (answer != 2) {
      line("region_end_of_levels name=%s level=%d answer=%d", name, level, answer);
      break;
    }
    line("region name=%s level=%d parallel=%s size=%d", name, level, WORD(parallel), size);
  }
}

void journal_tool_target(const char *name) {
  if (set_callback)
    line("target_region name=%s %s", name, TARGET_INFO);
}

static int initialize(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *tool_data) {
  set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
  get_target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
  tool_word = tool_data;
  struct {
    ompt_callbacks_t event;
    ompt_callback_t callback;
  } all[] = {
      {ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin},
      {ompt_callback_thread_end, (ompt_callback_t)on_thread_end},
      {ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin},
      {ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end},
      {ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task},
      {ompt_callback_task_create, (ompt_callback_t)on_task_create},
      {ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule},
      {ompt_callback_sync_region, (ompt_callback_t)on_sync_region},
      {ompt_callback_sync_region_wait, (ompt_callback_t)on_sync_region_wait},
      {ompt_callback_work, (ompt_callback_t)on_work},
      {ompt_callback_masked, (ompt_callback_t)on_masked},
      {ompt_callback_mutex_acquire, (ompt_callback_t)on_mutex_acquire},
      {ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex_acquired},
      {ompt_callback_mutex_released, (ompt_callback_t)on_mutex_released},
      {ompt_callback_lock_init, (ompt_callback_t)on_lock_init},
      {ompt_callback_lock_destroy, (ompt_callback_t)on_lock_destroy},
      {ompt_callback_nest_lock, (ompt_callback_t)on_nest_lock},
      {ompt_callback_dependences, (ompt_callback_t)on_dependences},
      {ompt_callback_task_dependence, (ompt_callback_t)on_task_dependence},
      {ompt_callback_cancel, (ompt_callback_t)on_cancel},
      {ompt_callback_dispatch, (ompt_callback_t)on_dispatch},
      {ompt_callback_reduction, (ompt_callback_t)on_reduction},
      {ompt_callback_flush, (ompt_callback_t)on_flush},
      {ompt_callback_error, (ompt_callback_t)on_error},
      {ompt_callback_control_tool, (ompt_callback_t)on_control_tool},
      {ompt_callback_device_initialize, (ompt_callback_t)on_device_initialize},
      {ompt_callback_device_finalize, (ompt_callback_t)on_device_finalize},
      {ompt_callback_device_load, (ompt_callback_t)on_device_load},
      {ompt_callback_device_unload, (ompt_callback_t)on_device_unload},
  };
  for (size_t index = 0; index < sizeof all / sizeof all[0]; index++)
    if (set_callback(all[index].event, all[index].callback) < ompt_set_sometimes)
      line("refused event=%d", all[index].event);
  const char *form = getenv("JOURNAL_TARGET");
  int plain = form && strcmp(form, "emi") != 0, emi = !form || strcmp(form, "plain") != 0;
  struct {
    ompt_callbacks_t event;
    ompt_callback_t callback;
    int wanted;
  } target[] = {
      {ompt_callback_target_emi, (ompt_callback_t)on_target_emi, emi},
      {ompt_callback_target_data_op_emi, (ompt_callback_t)on_target_data_op_emi, emi},
      {ompt_callback_target_submit_emi, (ompt_callback_t)on_target_submit_emi, emi},
      {ompt_callback_target_map_emi, (ompt_callback_t)on_target_map_emi, emi},
      {ompt_callback_target, (ompt_callback_t)on_target, plain},
      {ompt_callback_target_data_op, (ompt_callback_t)on_target_data_op, plain},
      {ompt_callback_target_submit, (ompt_callback_t)on_target_submit, plain},
      {ompt_callback_target_map, (ompt_callback_t)on_target_map, plain},
  };
  for (size_t index = 0; index < sizeof target / sizeof target[0]; index++)
    if (target[index].wanted && set_callback(target[index].event, target[index].callback) < ompt_set_sometimes)
      line("refused event=%d", target[index].event);
  return 1;
}

static void finalize(ompt_data_t *tool_data) {
  line("finalize same=%d", tool_data == tool_word);
  if (atomic_exchange(&finalized, 1))
    return;
  FILE *file = fopen(path(), "w");
  if (!file)
    return;
  int count = atomic_load(&line_count);
  for (int index = 0; index < count && index < LINES; index++)
    fprintf(file, "%s\n", lines[index]);
  if (count > LINES)
    fprintf(file, "-1 overflow lines=%d\n", count);
  fclose(file);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
