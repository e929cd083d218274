// A tool that leaves the asking to the program: `asker.h` says how. It counts how often it is initialised and finalised, and writes
// both on stdout when the library is unloaded. What its initialiser is told of places can be asked for later.
#include <omp-tools.h>
#include <stdio.h>

static ompt_function_lookup_t lookup;
static int initialised, finalised;

__attribute__((visibility("default"))) ompt_interface_fn_t asker_tool_lookup(const char *name) {
  return lookup ? lookup(name) : NULL;
}

__attribute__((visibility("default"))) int asker_tool_finalised(void) { return finalised; }

static int place, partition_size, partition[64];

// The thread's place in the initialiser, and its partition's size and first places.
__attribute__((visibility("default"))) int asker_tool_first_place(void) { return place; }
__attribute__((visibility("default"))) int asker_tool_first_partition(int index) {
  return index < 0 ? partition_size : partition[index];
}

static int initialize(ompt_function_lookup_t given, int initial_device, ompt_data_t *tool_data) {
  lookup = given;
  place = ((ompt_get_place_num_t)lookup("ompt_get_place_num"))();
  partition_size = ((ompt_get_partition_place_nums_t)lookup("ompt_get_partition_place_nums"))(64, partition);
  initialised++;
  return 1;
}

static void finalize(ompt_data_t *tool_data) { finalised++; }

ompt_start_tool_result_t *ompt_start_tool(unsigned int omp_version, const char *runtime_version) {
  static ompt_start_tool_result_t result = {initialize, finalize, {0}};
  return &result;
}

__attribute__((destructor)) static void say(void) {
  printf("initialised %d finalised %d\n", initialised, finalised);
}
