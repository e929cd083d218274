// A tool that prints on stdout, from its initializer, what the runtime answers: for each entry point named in
// INQUIRY_NAMES (separated by blanks) whether the lookup finds it; what ompt_set_callback and ompt_get_callback answer
// for each event; the states and mutex implementations.
#include <omp-tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void callback(void) {}

static void ask_lookup(ompt_function_lookup_t lookup) {
  char names[4096];
  snprintf(names, sizeof names, "%s", getenv("INQUIRY_NAMES"));
  for (char *name = strtok(names, " "); name; name = strtok(NULL, " "))
    printf("lookup %s %s\n", name, lookup(name) ? "found" : "null");
}

static void ask_callbacks(ompt_function_lookup_t lookup) {
  ompt_set_callback_t set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  ompt_get_callback_t get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
  for (int event = -1; event <= 40; event++) {
    ompt_callback_t found = NULL;
    int before = get_callback(event, &found);
    int set = set_callback(event, (ompt_callback_t)callback);
    int after = get_callback(event, &found);
    int same = found == (ompt_callback_t)callback;
    int removed = set_callback(event, NULL);
    ompt_callback_t gone = NULL;
    int none = get_callback(event, &gone);
    printf("callback %d before=%d set=%d after=%d same=%d removed=%d none=%d\n", event, before, set, after, same, removed,
           none);
  }
}

static void walk(const char *what, int (*step)(int, int *, const char **), int current) {
  const char *name = NULL;
  int steps = 0;
  while (steps++ < 1000 && step(current, &current, &name))
    printf("%s 0x%x %s\n", what, current, name);
  printf("%s end after %d\n", what, steps - 1);
}

static int initialize(ompt_function_lookup_t lookup, int initial_device, ompt_data_t *tool_data) {
  ask_lookup(lookup);
  ask_callbacks(lookup);
  walk("state", (int (*)(int, int *, const char **))lookup("ompt_enumerate_states"), ompt_state_undefined);
  walk("mutex", (int (*)(int, int *, const char **))lookup("ompt_enumerate_mutex_impls"), ompt_mutex_impl_none);
  ompt_get_unique_id_t unique = (ompt_get_unique_id_t)lookup("ompt_get_unique_id");
  ompt_get_num_procs_t procs = (ompt_get_num_procs_t)lookup("ompt_get_num_procs");
  ompt_get_num_devices_t devices = (ompt_get_num_devices_t)lookup("ompt_get_num_devices");
  uint64_t first = unique(), second = unique();
  printf("unique %s\n", first != second ? "differ" : "same");
  printf("procs %d\n", procs());
  printf("devices %d\n", devices());
  fflush(stdout);
  return 1;
}

static void finalize(ompt_data_t *tool_data) {}

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}
