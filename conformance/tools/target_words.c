// A tool for several at once: it writes to the words of target constructs and operations, each value its own, and counts those that come
// back otherwise at the end. With OTHER it writes other values and uses the plain callback for constructs.
#include <omp-tools.h>
#include <stdatomic.h>
#include <stdio.h>

#ifdef OTHER
enum { STEP = 1000003 };
#else
enum { STEP = 1 };
#endif

static atomic_ulong words, wrong, next;
static _Thread_local uint64_t operation;
static ompt_get_target_info_t get_target_info;
static ompt_get_task_info_t get_task_info;

static uint64_t fresh(void) { return (atomic_fetch_add(&next, 1) + 1) * STEP; }

static void expect(int right) {
  if (!right)
    atomic_fetch_add(&wrong, 1);
}

static void expect_info(uint64_t target, uint64_t wanted) {
  uint64_t device = 0;
  ompt_id_t found = 0, host_op = 0;
  int inside = get_target_info(&device, &found, &host_op);
  expect(inside && (!target || found == target) && host_op == wanted);
}

// The current task, where it is a target task, and the one around it are those that the event names; null for one that it does not name.
static void expect_tasks(ompt_data_t *task, ompt_data_t *target_task) {
  int flags = 0;
  ompt_data_t *current = NULL, *around = NULL;
  expect(get_task_info(0, &flags, &current, NULL, NULL, NULL) == 2);
  if (flags & ompt_task_target) {
    // A helper thread executes target tasks on top of a task of its own.
    int other = 0;
    expect(get_task_info(1, &other, &around, NULL, NULL, NULL) == 2 && (around == task || (other & ompt_task_initial)));
    expect(!target_task || current == target_task);
  }
}

#ifdef OTHER
static void on_target(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task, ompt_id_t target,
                      const void *code) {
  atomic_fetch_add(&words, 1);
  expect(target != 0 && task != NULL);
  expect_tasks(task, NULL);
  expect_info(target, 0);
}
#else
static void on_target_emi(ompt_target_t kind, ompt_scope_endpoint_t endpoint, int device, ompt_data_t *task,
                          ompt_data_t *target_task, ompt_data_t *target, const void *code) {
  atomic_fetch_add(&words, 1);
  expect_tasks(task, target_task);
  if (endpoint == ompt_scope_begin) {
    expect(target->value == 0);
    target->value = fresh();
    target_task->value = target->value + 5;
  } else {
    expect(target->value % STEP == 0 && target->value != 0 && target_task->value == target->value + 5);
  }
  expect_info(target->value, 0);
}
#endif

static void on_operation(ompt_scope_endpoint_t endpoint, ompt_id_t *word) {
  atomic_fetch_add(&words, 1);
  if (endpoint == ompt_scope_begin) {
    expect(*word == 0);
    operation = *word = fresh();
  } else {
    expect(*word == operation);
  }
  expect_info(0, operation);
}

static void on_target_data_op_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target_task, ompt_data_t *target,
                                  ompt_id_t *word, ompt_target_data_op_t kind, void *source, int source_device,
                                  void *destination, int destination_device, size_t bytes, const void *code) {
  on_operation(endpoint, word);
}

static void on_target_submit_emi(ompt_scope_endpoint_t endpoint, ompt_data_t *target, ompt_id_t *word, unsigned int teams) {
  on_operation(endpoint, word);
}

static int initialize(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *tool_data) {
  ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_target_info = (ompt_get_target_info_t)lookup("ompt_get_target_info");
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
#ifdef OTHER
  set_callback(ompt_callback_target, (ompt_callback_t)on_target);
#else
  set_callback(ompt_callback_target_emi, (ompt_callback_t)on_target_emi);
#endif
  set_callback(ompt_callback_target_data_op_emi, (ompt_callback_t)on_target_data_op_emi);
  set_callback(ompt_callback_target_submit_emi, (ompt_callback_t)on_target_submit_emi);
  return 1;
}

static void finalize(ompt_data_t *tool_data) {
  fprintf(stderr, "%s words, %lu wrong\n", atomic_load(&words) > 10 ? "enough" : "too few", atomic_load(&wrong));
}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
