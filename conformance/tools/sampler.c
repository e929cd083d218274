// A tool that asks, in a signal handler on every thread, for everything that OpenMP 5.1 says may be asked for there, and looks
// whether the answers can be true. Data words hold numbers that the tool gave them at the begin.
#include "sampling.h"

// A program may nest many more tasks than are worth looking at ten thousand times a second.
enum { LEVELS = 100, PLACES = 64 };

static atomic_ulong next_word = 1;

static ompt_get_task_memory_t get_task_memory;
static ompt_get_num_procs_t get_num_procs;
static ompt_get_num_places_t get_num_places;
static ompt_get_place_proc_ids_t get_place_proc_ids;
static ompt_get_place_num_t get_place_num;
static ompt_get_partition_place_nums_t get_partition_place_nums;
static ompt_get_proc_id_t get_proc_id;
static ompt_get_target_info_t get_target_info;
static ompt_get_num_devices_t get_num_devices;
static ompt_get_unique_id_t get_unique_id;
static ompt_enumerate_states_t enumerate_states;
// One byte a state, so that the handler need not walk.
static char known_state[0x200];

static void sample_thread(int *state) {
  ompt_data_t *word = get_thread_data();
  CHECK(word && word->value == (uint64_t)syscall(SYS_gettid), word ? word->value : 0, syscall(SYS_gettid), 0);
  ompt_wait_id_t wait = 12345;
  *state = get_state(&wait);
  CHECK(*state >= 0 && *state < 0x200 && known_state[*state], *state, 0, 0);
  int for_mutex = *state >= ompt_state_wait_mutex && *state < ompt_state_wait_target;
  CHECK(for_mutex ? wait != 0 : wait == 0, *state, wait, 0);
  CHECK(*state != ompt_state_undefined, *state, 0, 0);
  CHECK(get_state(NULL) == *state, *state, 0, 0);
}

static void sample_tasks(int state) {
  int regions = 0, level, answer = 0, last_flags = 0;
  for (level = 0; level < LEVELS; level++) {
    int flags = 0, number = -1;
    ompt_data_t *task = NULL, *parallel = NULL;
    ompt_frame_t *frame = NULL;
    answer = get_task_info(level, &flags, &task, &frame, &parallel, &number);
    CHECK(answer >= 0 && answer <= 2, level, answer, 0);
    if (answer != 2)
      break;
    int kind = flags & 0xf;
    CHECK(kind == ompt_task_initial || kind == ompt_task_implicit || kind == ompt_task_explicit || kind == ompt_task_target, level,
          flags, 0);
    CHECK(!(flags & ~(0xf | ompt_task_undeferred | ompt_task_untied | ompt_task_final | ompt_task_mergeable | ompt_task_merged |
                      ompt_task_taskwait)),
          level, flags, 0);
    // Only the innermost task may be one whose begin the tool is about to hear of.
    CHECK(task && (level == 0 || task->value), level, flags, state);
    CHECK(frame, level, flags, 0);
    CHECK(parallel, level, flags, 0);
    CHECK(number >= 0, level, number, 0);
    if (frame) {
      CHECK((frame->exit_frame_flags & 0xf) <= 1 && (frame->exit_frame_flags & ~0xf) <= 0x30, level, frame->exit_frame_flags, 0);
      CHECK((frame->enter_frame_flags & 0xf) <= 1 && (frame->enter_frame_flags & ~0xf) <= 0x30, level, frame->enter_frame_flags, 0);
    }
    if (kind == ompt_task_initial || kind == ompt_task_implicit) {
      ompt_data_t *same = NULL;
      int size = 0;
      int there = get_parallel_info(regions, &same, &size);
      // The region may have ended since, on a worker that is leaving it.
      CHECK(there == 2 || (there == 1 && regions > 0), level, regions, there);
      CHECK(there != 2 || same == parallel, level, regions, flags);
      CHECK(there != 2 || (size >= 1 && (number < size || kind == ompt_task_initial)), level, number, size);
      regions++;
    }
    last_flags = flags;
  }
  if (level > 0 && answer == 0) {
    CHECK(last_flags & ompt_task_initial, level, last_flags, state);
    CHECK(get_parallel_info(regions, NULL, NULL) != 2, level, regions, 0);
  }
  int works = state == ompt_state_work_parallel || state == ompt_state_work_reduction ||
              (state >= ompt_state_wait_barrier && state < ompt_state_wait_target && state != ompt_state_wait_barrier_implicit_parallel &&
               state != ompt_state_wait_barrier_teams);
  CHECK(!works || level > 0, state, level, answer);
  CHECK(state != ompt_state_idle || level == 0, state, level, answer);
  CHECK(get_task_info(-1, NULL, NULL, NULL, NULL, NULL) == 0, 0, 0, 0);
  CHECK(get_parallel_info(-1, NULL, NULL) == 0, 0, 0, 0);
}

static volatile char sink;

static void sample_memory(void) {
  int block = 0, more = 1;
  while (more && block < 8) {
    void *start = NULL;
    size_t size = 0;
    more = get_task_memory(&start, &size, block++);
    CHECK(more == 0 || more == 1, more, block, 0);
    CHECK(!size || start, size, block, 0);
    if (size && start)
      sink = ((char *)start)[0] + ((char *)start)[size - 1];
  }
  CHECK(!more, block, 0, 0);
}

static void sample_places(void) {
  int places = get_num_places(), place = get_place_num();
  CHECK(places >= 0, places, 0, 0);
  CHECK(place >= -1 && (place < places || place == -1), place, places, 0);
  int numbers[PLACES + 1];
  numbers[PLACES] = -7;
  int count = get_partition_place_nums(PLACES, numbers);
  CHECK(count >= 0 && count <= places, count, places, 0);
  for (int i = 0; i < count && i < PLACES; i++)
    CHECK(numbers[i] >= 0 && numbers[i] < places, numbers[i], i, places);
  CHECK(numbers[PLACES] == -7, numbers[PLACES], 0, 0);
  if (place >= 0) {
    int cpus = get_place_proc_ids(place, PLACES, numbers);
    CHECK(cpus >= 1, cpus, place, 0);
  }
  CHECK(get_proc_id() >= 0, 0, 0, 0);
  CHECK(get_num_procs() >= 1, 0, 0, 0);
}

static void take_sample(void) {
  int state = ompt_state_undefined;
  sample_thread(&state);
  sample_tasks(state);
  sample_memory();
  sample_places();
  int devices = get_num_devices();
  CHECK(devices >= 0, devices, 0, 0);
  uint64_t device = 0;
  ompt_id_t target = 0, operation = 0;
  int inside = get_target_info(&device, &target, &operation);
  CHECK(inside == 0 || inside == 1, inside, 0, 0);
  CHECK(!inside || (device <= (uint64_t)devices && target != 0), device, target, operation);
  uint64_t first = get_unique_id();
  CHECK(first && get_unique_id() != first, first, 0, 0);
}

static void name(ompt_data_t *word) {
  if (word && !word->value)
    word->value = atomic_fetch_add(&next_word, 1);
}

static void on_thread_begin(ompt_thread_t kind, ompt_data_t *word) {
  word->value = syscall(SYS_gettid);
  in_callback = 0;
  start_timer();
}

static void on_thread_end(ompt_data_t *word) { stop_timer(); }

static void on_parallel_begin(ompt_data_t *task, const ompt_frame_t *frame, ompt_data_t *parallel, unsigned int requested,
                              int flags, const void *code) {
  name(parallel);
}

static void on_implicit_task(ompt_scope_endpoint_t endpoint, ompt_data_t *parallel, ompt_data_t *task, unsigned int size,
                             unsigned int index, int flags) {
  if (endpoint == ompt_scope_begin)
    name(task);
}

static void on_task_create(ompt_data_t *outer, const ompt_frame_t *frame, ompt_data_t *new_task, int flags, int dependences,
                           const void *code) {
  name(new_task);
}

static int initialize(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *tool_data) {
  get_task_memory = (ompt_get_task_memory_t)lookup("ompt_get_task_memory");
  get_num_procs = (ompt_get_num_procs_t)lookup("ompt_get_num_procs");
  get_num_places = (ompt_get_num_places_t)lookup("ompt_get_num_places");
  get_place_proc_ids = (ompt_get_place_proc_ids_t)lookup("ompt_get_place_proc_ids");
  get_place_num = (ompt_get_place_num_t)lookup("ompt_get_place_num");
  get_partition_place_nums = (ompt_get_partition_place_nums_t)lookup("ompt_get_partition_place_nums");
  get_proc_id = (ompt_get_proc_id_t)lookup("ompt_get_proc_id");
  get_target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
  get_num_devices = (ompt_get_num_devices_t)lookup("ompt_get_num_devices");
  get_unique_id = (ompt_get_unique_id_t)lookup("ompt_get_unique_id");
  enumerate_states = (ompt_enumerate_states_t)lookup("ompt_enumerate_states");
  const char *unused;
  for (int state = ompt_state_undefined; enumerate_states(state, &state, &unused);)
    known_state[state] = 1;
  sampling_begin(lookup);
  set_callback(ompt_callback_thread_begin, (ompt_callback_t)on_thread_begin);
  set_callback(ompt_callback_thread_end, (ompt_callback_t)on_thread_end);
  set_callback(ompt_callback_parallel_begin, (ompt_callback_t)on_parallel_begin);
  set_callback(ompt_callback_implicit_task, (ompt_callback_t)on_implicit_task);
  set_callback(ompt_callback_task_create, (ompt_callback_t)on_task_create);
  return 1;
}

static void finalize(ompt_data_t *tool_data) { sampling_end(); }

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
