// A tool that does what a tool should not do. What, the variable HOSTILE says; where, HOSTILE_AT: the number of an event, and after a
// colon its occurrence; without a colon every occurrence, and 0 is every event. With HOSTILE_AT=start, initialize or finalize it is done
// in that function instead. Compiled with OpenMP, which is what some of it is about.
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>
#include <omp-tools.h>
#include <omp.h>
#include <pthread.h>
#include <stdexcept>
#include <sys/wait.h>
#include <unistd.h>
#include <atomic>

static ompt_set_callback_t set_callback;
static ompt_finalize_tool_t finalize_tool;
static ompt_function_lookup_t look_up;
static std::atomic<int> seen[38], events, done, late, over;

static bool is(const char *what) {
  const char *wanted = getenv("HOSTILE");
  return wanted && strcmp(wanted, what) == 0;
}

// Every routine that asks or sets, and locks.
static void call_omp() {
  static omp_lock_t lock;
  static std::atomic<int> initialized;
  omp_lock_t own;
  omp_nest_lock_t nest;
  volatile int sum = omp_get_thread_num() + omp_get_num_threads() + omp_get_max_threads() + omp_get_num_procs() + omp_in_parallel() +
                     omp_get_dynamic() + omp_get_max_active_levels() + omp_get_thread_limit() + omp_get_level() +
                     omp_get_ancestor_thread_num(0) + omp_get_team_size(omp_get_level()) + omp_get_active_level() + omp_in_final() +
                     omp_get_num_places() + omp_get_place_num() + omp_get_cancellation() + omp_get_num_teams() + omp_get_team_num() +
                     omp_get_default_device() + omp_get_num_devices() + omp_get_max_task_priority() + (int)omp_get_proc_bind() +
                     omp_is_initial_device() + omp_get_supported_active_levels();
  omp_sched_t kind;
  int chunk;
  omp_get_schedule(&kind, &chunk);
  omp_set_schedule(kind, chunk);
  omp_set_num_threads(omp_get_max_threads());
  omp_set_dynamic(omp_get_dynamic());
  omp_set_default_device(omp_get_default_device());
  sum += omp_get_wtime() > 0;
  omp_init_lock(&own);
  omp_set_lock(&own);
  omp_unset_lock(&own);
  sum += omp_test_lock(&own);
  omp_unset_lock(&own);
  omp_destroy_lock(&own);
  omp_init_nest_lock(&nest);
  omp_set_nest_lock(&nest);
  omp_set_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  omp_unset_nest_lock(&nest);
  omp_destroy_nest_lock(&nest);
  if (initialized.fetch_add(1) == 0) {
    omp_init_lock(&lock);
    initialized = 1000000;
  } else if (initialized > 1000000) {
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
  }
  char text[64];
  omp_capture_affinity(text, sizeof text, "%n of %N");
}

static void region() {
  int sum = 0, tasks = 0;
#pragma omp parallel num_threads(3) reduction(+ : sum)
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 10; i++) sum += 1;
#pragma omp single
    {
#pragma omp task shared(tasks)
#pragma omp atomic
      tasks++;
#pragma omp taskwait
    }
#pragma omp parallel num_threads(2)
#pragma omp critical(of_the_tool)
    tasks += 0;
#pragma omp barrier
  }
  if (sum != 10 || tasks != 1) fprintf(stderr, "hostile: wrong results %d %d in its region\n", sum, tasks);
}

static void task() {
  static std::atomic<int> ran;
  int before = ran;
#pragma omp task
  ran++;
#pragma omp taskwait
#pragma omp taskgroup
#pragma omp task
  ran++;
#pragma omp taskloop
  for (int i = 0; i < 3; i++) ran++;
  if (ran < before + 5) fprintf(stderr, "hostile: tasks were lost\n");
}

// Depends on whatever the program's tasks depend on.
static void depend() {
  static std::atomic<int> ran;
  int before = ran;
#pragma omp task depend(out : omp_all_memory)
  ran++;
#pragma omp task depend(inout : ran) if (0)
  ran++;
#pragma omp taskwait depend(inout : ran)
  if (ran < before + 2) fprintf(stderr, "hostile: tasks were lost\n");
}

static void teams() {
  int sum = 0;
#pragma omp teams distribute parallel for num_teams(2) reduction(+ : sum)
  for (int i = 0; i < 10; i++) sum++;
  if (sum != 10) fprintf(stderr, "hostile: wrong result %d in its league\n", sum);
}

static void close_itself() {
  Dl_info info;
  if (!dladdr((void *)close_itself, &info)) return;
  void *handle = dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  for (int i = 0; handle && i < 20; i++) dlclose(handle);
}

static void unregister() {
  for (int event = 1; event <= 37; event++) set_callback((ompt_callbacks_t)event, nullptr);
}

static void act() {
  if (is("throw")) throw std::runtime_error("hostile");
  if (is("omp")) call_omp();
  if (is("region")) region();
  if (is("task")) task();
  if (is("depend")) depend();
  if (is("teams")) teams();
  if (is("sleep")) usleep(2000);
  if (is("unregister")) unregister();
  if (is("finalize")) finalize_tool();
  if (is("close")) close_itself();
  if (is("control")) fprintf(stderr, "hostile: control %d\n", omp_control_tool(1, 2, nullptr));
  if (is("exit")) exit(17);
  if (is("pthread_exit")) pthread_exit(nullptr);
  if (is("fork")) {
    pid_t child = fork();
    if (child == 0) _exit(3);
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 3) fprintf(stderr, "hostile: bad child\n");
  }
  if (is("fork_and_exit")) {
    pid_t child = fork();
    if (child == 0) exit(3);
    int status = 0;
    if (waitpid(child, &status, 0) != child || !WIFEXITED(status) || WEXITSTATUS(status) != 3) fprintf(stderr, "hostile: bad child\n");
  }
  done++;
}

static bool at(const char *name) {
  const char *wanted = getenv("HOSTILE_AT");
  return wanted && strcmp(wanted, name) == 0;
}

static void event(int number) {
  static thread_local int depth;
  events++;
  if (over) late++;
  if (++depth > 1) fprintf(stderr, "hostile: event %d inside a callback\n", number);
  int occurrence = ++seen[number];
  const char *wanted = getenv("HOSTILE_AT"), *colon = wanted ? strchr(wanted, ':') : nullptr;
  bool here = wanted && (wanted[0] == '0' || atoi(wanted) == number) && (!colon || atoi(colon + 1) == occurrence);
  struct Leave {
    ~Leave() { depth--; }
  } leave;
  if (here) act();
}

template <int number> static int on() {
  event(number);
  return 0;
}

template <int number> static void register_to() {
  set_callback((ompt_callbacks_t)number, (ompt_callback_t)on<number>);
  if constexpr (number < 37) register_to<number + 1>();
}

static void garbage() {
  ompt_get_callback_t get_callback = (ompt_get_callback_t)look_up("ompt_get_callback");
  const int numbers[] = {0, -1, 38, 39, 64, 1000, INT_MAX, INT_MIN};
  for (int number : numbers) {
    ompt_callback_t found = nullptr;
    if (set_callback((ompt_callbacks_t)number, (ompt_callback_t)on<1>) != ompt_set_error) fprintf(stderr, "hostile: %d was taken\n", number);
    if (set_callback((ompt_callbacks_t)number, nullptr) != ompt_set_error) fprintf(stderr, "hostile: %d was taken\n", number);
    if (get_callback((ompt_callbacks_t)number, &found)) fprintf(stderr, "hostile: %d is there\n", number);
  }
  for (int number = 1; number <= 37; number++) set_callback((ompt_callbacks_t)number, nullptr);
  if (look_up(nullptr) || look_up("") || look_up("no_such_thing")) fprintf(stderr, "hostile: what is not there was found\n");
}

// Asks everything on a thread that has nothing to do with OpenMP, until the tool ends.
static std::atomic<int> asked, stop;
static pthread_t asking;

static void *ask(void *unused) {
  ompt_get_thread_data_t thread_data = (ompt_get_thread_data_t)look_up("ompt_get_thread_data");
  ompt_get_state_t state = (ompt_get_state_t)look_up("ompt_get_state");
  ompt_get_task_info_t task_info = (ompt_get_task_info_t)look_up("ompt_get_task_info");
  ompt_get_parallel_info_t parallel_info = (ompt_get_parallel_info_t)look_up("ompt_get_parallel_info");
  ompt_get_task_memory_t memory = (ompt_get_task_memory_t)look_up("ompt_get_task_memory");
  ompt_get_place_num_t place = (ompt_get_place_num_t)look_up("ompt_get_place_num");
  ompt_get_proc_id_t proc = (ompt_get_proc_id_t)look_up("ompt_get_proc_id");
  ompt_get_partition_place_nums_t partition = (ompt_get_partition_place_nums_t)look_up("ompt_get_partition_place_nums");
  ompt_get_unique_id_t id = (ompt_get_unique_id_t)look_up("ompt_get_unique_id");
  while (!stop) {
    ompt_wait_id_t wait = 1;
    ompt_data_t *data = nullptr, *region = nullptr;
    ompt_frame_t *frame = nullptr;
    void *address = nullptr;
    size_t size = 0;
    int flags, number;
    if (thread_data() || state(&wait) != ompt_state_undefined) fprintf(stderr, "hostile: a thread of its own is known\n");
    if (task_info(0, &flags, &data, &frame, &region, &number) == 2) fprintf(stderr, "hostile: it has a task\n");
    if (parallel_info(0, &region, &number) == 2) fprintf(stderr, "hostile: it has a region\n");
    memory(&address, &size, 0);
    place();
    proc();
    partition(0, nullptr);
    id();
    set_callback(ompt_callback_work, (ompt_callback_t)on<20>);
    asked++;
    usleep(10);
  }
  return unused;
}

static int initialize(ompt_function_lookup_t lookup, int device, ompt_data_t *data) {
  look_up = lookup;
  set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  finalize_tool = (ompt_finalize_tool_t)lookup("ompt_finalize_tool");
  if (is("garbage")) garbage();
  register_to<1>();
  if (is("thread")) pthread_create(&asking, nullptr, ask, nullptr);
  if (at("initialize")) act();
  return !is("decline");
}

static void finalize(ompt_data_t *data) {
  stop = 1;
  if (is("thread")) pthread_join(asking, nullptr);
  if (at("finalize")) act();
  over = 1;
  fprintf(stderr, "hostile: finalized, events %s, done %d, late %d\n", events ? "some" : "none", (int)done, (int)late);
}

static ompt_start_tool_result_t result = {initialize, finalize, {0}};

extern "C" ompt_start_tool_result_t *ompt_start_tool(unsigned version, const char *runtime) {
  if (at("start")) act();
  if (is("null_result")) return nullptr;
  if (is("null_initialize")) result.initialize = nullptr;
  if (is("null_finalize")) result.finalize = nullptr;
  return &result;
}
