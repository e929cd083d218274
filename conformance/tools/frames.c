// A tool that unwinds the stack, in signal handlers and in each of its callbacks, splits it by the frame objects of the tasks that
// ompt_get_task_info names, and compares with what the addresses say: a frame of the runtime must lie outside of every task's
// frames, one of the program inside of a task's. What belongs to a task is between its two frames; see `belongs`. The program
// may ask for what was found at a place of its own: `frames.h`.
#include "sampling.h"

#include <link.h>
#include <sys/auxv.h>
#include <unwind.h>

enum { FRAMES = 512, LEVELS = 256 };

struct range {
  uintptr_t low, high;
};
static struct range runtime, program;
// Whether the program has functions that the runtime calls while a task is inside it, such as those that copy private variables or
// combine a reduction's values, or signal handlers: these are frames of the program and of no task. FRAMES_HELPERS says so.
static int helpers_are_called;
static atomic_ulong user_frames, runtime_frames, levels_seen;
static atomic_ulong seen_flags[64];

// One frame: where it executes, its lowest address, and its canonical frame address, which is that of its caller's lowest.
struct frame {
  uintptr_t code, low, cfa;
};

struct stack {
  struct frame frames[FRAMES];
  int count;
  // The first frame below the signal, or of the runtime below a callback.
  int first;
};

static int inside(struct range range, uintptr_t address) { return address >= range.low && address < range.high; }

static _Unwind_Reason_Code collect(struct _Unwind_Context *context, void *into) {
  struct stack *stack = into;
  int at_instruction = 0;
  uintptr_t code = _Unwind_GetIPInfo(context, &at_instruction);
  if (stack->count == FRAMES)
    return _URC_END_OF_STACK;
  // What a signal interrupted is at an instruction; every other frame is behind a call.
  if (at_instruction && stack->first < 0)
    stack->first = stack->count;
  stack->frames[stack->count].code = code - !at_instruction;
  stack->frames[stack->count].low = _Unwind_GetCFA(context);
  if (stack->count > 0)
    stack->frames[stack->count - 1].cfa = stack->frames[stack->count].low;
  stack->count++;
  return _URC_NO_REASON;
}

// Which frames belong to a task: those above its enter frame, if it has entered the runtime, and not above its exit frame. An
// initial task that nothing called has no exit frame; of any other task without one there are no frames.
static int belongs(const struct frame *frame, const ompt_frame_t *task, int flags) {
  uintptr_t enter = (uintptr_t)task->enter_frame.ptr, exit = (uintptr_t)task->exit_frame.ptr;
  if (!exit && !(flags & ompt_task_initial))
    return 0;
  return frame->cfa > enter && (!exit || frame->cfa <= exit);
}

// Whether a frame of the program belongs to a signal's handler: the C library has called the handler, or the program's frames
// between the two. The code of a task is called by the runtime.
static int is_of_handler(const struct stack *stack, int at) {
  while (at < stack->count - 1 && inside(program, stack->frames[at].code))
    at++;
  return !inside(runtime, stack->frames[at].code);
}

// What a look of the program's found: a digit for each run of frames of one task, its level, `-` for a run of the runtime's
// frames, `?` for frames of the program that are no task's. From the innermost on; frames of other libraries are left out.
enum { SHAPE = 128 };
OWN char *volatile shape_of_look;

static void add_to_shape(char *shape, char what) {
  int length = strlen(shape);
  if (length < SHAPE - 1 && (length == 0 || shape[length - 1] != what))
    shape[length] = what;
}

static void split(struct stack *stack, int after_callback) {
  if (stack->first < 0 || stack->count == FRAMES || stack->count < 2)
    return;
  // The frame that is farthest out has no caller.
  int count = stack->count - 1;
  // From the tool's own frame on: where the program ends a serialised region by a tail call, the region's frames lie below the
  // interrupted one until the runtime has noted the end.
  uintptr_t low = stack->frames[0].low, high = stack->frames[count].low;
  const ompt_frame_t *tasks[LEVELS];
  int kinds[LEVELS], levels = 0;
  for (; levels < LEVELS; levels++) {
    int flags = 0;
    ompt_frame_t *frame = NULL;
    if (get_task_info(levels, &flags, NULL, &frame, NULL, NULL) != 2)
      break;
    uintptr_t enter = (uintptr_t)frame->enter_frame.ptr, exit = (uintptr_t)frame->exit_frame.ptr;
    // Tasks that encountered the region of a worker are on other stacks; they may go on while it leaves.
    uintptr_t any = enter ? enter : exit;
    if (levels > 0 && any && (any < low || any > high))
      break;
    if (levels > 0 && !any && (flags & ompt_task_initial))
      break;
    if (levels > 0 && !enter && exit) {
      fault("a task that another one lies on has entered the runtime", levels, flags, 0);
      break;
    }
    atomic_fetch_add(&seen_flags[frame->exit_frame_flags & 63], exit != 0);
    atomic_fetch_add(&seen_flags[frame->enter_frame_flags & 63], enter != 0);
    if (exit && enter && enter > exit)
      fault("enter frames are younger than exit frames", levels, enter, exit);
    tasks[levels] = frame;
    kinds[levels] = flags;
  }
  if (levels == 0 || is_over())
    return;
  atomic_fetch_add(&levels_seen, levels);
  if (shape_of_look)
    memset(shape_of_look, 0, SHAPE);
  // A signal may come when the program has called the runtime and this has not been noted yet, or not any more.
  int on_the_way = !after_callback && !tasks[0]->enter_frame.ptr;
  // The innermost task that has frames: a task whose code has not begun yet has none, and a handler may come then as well.
  int begun = 0;
  while (begun + 1 < levels && !tasks[begun]->exit_frame.ptr && !(kinds[begun] & ompt_task_initial))
    begun++;
  int has_begun = tasks[begun]->exit_frame.ptr || (kinds[begun] & ompt_task_initial);
  uintptr_t entered = (uintptr_t)tasks[begun]->enter_frame.ptr;
  for (int i = stack->first; i < count; i++) {
    const struct frame *frame = &stack->frames[i];
    int of_runtime = inside(runtime, frame->code), of_program = inside(program, frame->code), of_task = -1;
    for (int level = 0; level < levels && of_task < 0; level++)
      if (belongs(frame, tasks[level], kinds[level]))
        of_task = level;
    if (of_runtime)
      atomic_fetch_add(&runtime_frames, 1);
    if (of_program)
      atomic_fetch_add(&user_frames, 1);
    if (of_program)
      on_the_way = 0;
    if (shape_of_look && of_program)
      add_to_shape(shape_of_look, of_task < 0 ? '?' : '0' + of_task);
    else if (shape_of_look && of_runtime)
      add_to_shape(shape_of_look, '-');
    if (of_runtime && !on_the_way && of_task >= 0)
      fault(after_callback ? "frames of the runtime are no task's, in a callback" : "frames of the runtime are no task's",
            frame->code - runtime.low, of_task, i - stack->first);
    int helps = helpers_are_called && !after_callback && (has_begun ? frame->cfa <= entered : is_of_handler(stack, i));
    if (of_program && of_task < 0 && !helps)
      fault(after_callback ? "frames of the program are a task's, in a callback" : "frames of the program are a task's",
            frame->code - program.low, levels, i - stack->first);
  }
}

static void take_sample(void) {
  struct stack stack = {.first = -1};
  _Unwind_Backtrace(collect, &stack);
  split(&stack, 0);
}

// In a callback: what is on the stack below the tool is the runtime, and everything has been noted.
static void look(void) {
  if (atomic_load(&silent))
    return;
  in_callback++;
  struct stack stack = {.first = 0};
  _Unwind_Backtrace(collect, &stack);
  split(&stack, 1);
  in_callback--;
}

// The program asks for a look at a place of its own, which has a name.
__attribute__((visibility("default"))) void frames_tool_look(const char *name) {
  char shape[SHAPE] = "";
  shape_of_look = shape;
  raise(SIGPROF);
  shape_of_look = NULL;
  const char *path = getenv("SAMPLING_OUT");
  FILE *out = path ? fopen(path, "a") : NULL;
  if (!out)
    return;
  fprintf(out, "shape %s %s\n", name, shape);
  fclose(out);
}

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *word) {
  in_callback = 0;
  start_timer();
}

static void on_thread_end(ompt_data_t *word) { stop_timer(); }

// The events that come while a task executes, or on its way into the runtime.
#define LOOK(name, ...)                                                                                                        \
  static void name(__VA_ARGS__) { look(); }
LOOK(on_parallel_begin, ompt_data_t *a, const ompt_frame_t *b, ompt_data_t *c, unsigned int d, int e, const void *f)
LOOK(on_parallel_end, ompt_data_t *a, ompt_data_t *b, int c, const void *d)
LOOK(on_implicit_task, ompt_scope_endpoint_t a, ompt_data_t *b, ompt_data_t *c, unsigned int d, unsigned int e, int f)
LOOK(on_task_create, ompt_data_t *a, const ompt_frame_t *b, ompt_data_t *c, int d, int e, const void *f)
LOOK(on_task_schedule, ompt_data_t *a, ompt_task_status_t b, ompt_data_t *c)
LOOK(on_sync, ompt_sync_region_t a, ompt_scope_endpoint_t b, ompt_data_t *c, ompt_data_t *d, const void *e)
LOOK(on_work, ompt_work_t a, ompt_scope_endpoint_t b, ompt_data_t *c, ompt_data_t *d, uint64_t e, const void *f)
LOOK(on_masked, ompt_scope_endpoint_t a, ompt_data_t *b, ompt_data_t *c, const void *d)
LOOK(on_dispatch, ompt_data_t *a, ompt_data_t *b, ompt_dispatch_t c, ompt_data_t d)
LOOK(on_acquire, ompt_mutex_t a, unsigned int b, unsigned int c, ompt_wait_id_t d, const void *e)
LOOK(on_mutex, ompt_mutex_t a, ompt_wait_id_t b, const void *c)
LOOK(on_nest_lock, ompt_scope_endpoint_t a, ompt_wait_id_t b, const void *c)
LOOK(on_cancel, ompt_data_t *a, int b, const void *c)
LOOK(on_flush, ompt_data_t *a, const void *b)

// Where the file lies in memory that holds an address.
struct search {
  uintptr_t address;
  struct range *found;
};

static int match(struct dl_phdr_info *info, size_t size, void *argument) {
  struct search *search = argument;
  uintptr_t low = UINTPTR_MAX, high = 0;
  for (int i = 0; i < info->dlpi_phnum; i++) {
    if (info->dlpi_phdr[i].p_type != PT_LOAD)
      continue;
    uintptr_t start = info->dlpi_addr + info->dlpi_phdr[i].p_vaddr, end = start + info->dlpi_phdr[i].p_memsz;
    low = start < low ? start : low;
    high = end > high ? end : high;
  }
  if (search->address < low || search->address >= high)
    return 0;
  *search->found = (struct range){low, high};
  return 1;
}

static void find(const void *address, struct range *range) {
  struct search search = {(uintptr_t)address, range};
  dl_iterate_phdr(match, &search);
}

static int initialize(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *tool_data) {
  sampling_begin(lookup);
  helpers_are_called = getenv("FRAMES_HELPERS") != NULL;
  find((void *)lookup, &runtime);
  find((void *)getauxval(AT_ENTRY), &program);
  // The first use of the unwinder loads what it needs.
  struct stack stack = {.first = -1};
  _Unwind_Backtrace(collect, &stack);
  set_callback(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
  set_callback(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
  set_callback(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
  set_callback(ompt_callback_parallel_end, (ompt_callback_t)on_parallel_end);
  set_callback(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
  set_callback(ompt_callback_task_create, (ompt_callback_t)on_task_create);
  set_callback(ompt_callback_task_schedule, (ompt_callback_t)on_task_schedule);
  set_callback(ompt_callback_sync_region, (ompt_callback_t)on_sync);
  set_callback(ompt_callback_sync_region_wait, (ompt_callback_t)on_sync);
  set_callback(ompt_callback_reduction, (ompt_callback_t)on_sync);
  set_callback(ompt_callback_work, (ompt_callback_t)on_work);
  set_callback(ompt_callback_masked, (ompt_callback_t)on_masked);
  set_callback(ompt_callback_dispatch, (ompt_callback_t)on_dispatch);
  set_callback(ompt_callback_mutex_acquire, (ompt_callback_t)on_acquire);
  set_callback(ompt_callback_mutex_acquired, (ompt_callback_t)on_mutex);
  set_callback(ompt_callback_mutex_released, (ompt_callback_t)on_mutex);
  set_callback(ompt_callback_nest_lock, (ompt_callback_t)on_nest_lock);
  set_callback(ompt_callback_cancel, (ompt_callback_t)on_cancel);
  set_callback(ompt_callback_flush, (ompt_callback_t)on_flush);
  return 1;
}

static void finalize(ompt_data_t *tool_data) {
  sampling_end();
  const char *path = getenv("SAMPLING_OUT");
  FILE *out = path ? fopen(path, "a") : stderr;
  if (!out)
    return;
  fprintf(out, "frames program=%lu runtime=%lu levels=%lu\n", atomic_load(&user_frames), atomic_load(&runtime_frames),
          atomic_load(&levels_seen));
  for (int flags = 0; flags < 64; flags++)
    if (atomic_load(&seen_flags[flags]))
      fprintf(out, "flags 0x%x %lu\n", flags, atomic_load(&seen_flags[flags]));
  if (path)
    fclose(out);
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
