// Enumerations walk through everything once, and do not know what is in none of them; a callback that was refused, removed or
// never given is not there.
#include <string.h>

#include "asker.h"

static void callback(void) {}

int main(void) {
  omp_get_max_threads();
  int next = 77;
  const char *name = "untouched";
  ompt_enumerate_states_t states = ASK(ompt_enumerate_states);
  int count = 0, seen[0x200] = {0};
  for (int state = ompt_state_undefined; states(state, &next, &name); state = next) {
    expect(next >= 0 && next < 0x200 && !seen[next]++, next);
    expect(!strncmp(name, "ompt_state_", 11), 0);
    expect(++count < 0x200, count);
  }
  expect(seen[ompt_state_work_reduction] && seen[ompt_state_wait_barrier_teams] && seen[ompt_state_idle], count);
  for (int unknown = 0x300; unknown < 0x310; unknown++)
    expect_is(states(unknown, &next, &name), 0);
  expect_is(states(-1, &next, &name), 0);
  expect_is(states(0x103, &next, &name), 0);
  ompt_enumerate_mutex_impls_t impls = ASK(ompt_enumerate_mutex_impls);
  count = 0;
  for (int impl = ompt_mutex_impl_none; impls(impl, &next, &name); impl = next) {
    expect(next != ompt_mutex_impl_none && strlen(name) > 0, next);
    expect(++count < 100, count);
  }
  expect(count >= 1, count);
  expect_is(impls(12345, &next, &name), 0);
  expect_is(impls(-1, &next, &name), 0);

  ompt_set_callback_t set = ASK(ompt_set_callback);
  ompt_get_callback_t get = ASK(ompt_get_callback);
  for (int event = -2; event < 60; event++) {
    ompt_callback_t found = (ompt_callback_t)main;
    ompt_set_result_t answer = set(event, (ompt_callback_t)callback);
    int taken = answer != ompt_set_never && answer != ompt_set_error && answer != ompt_set_impossible;
    expect_is(get(event, &found), taken);
    expect(!taken || found == (ompt_callback_t)callback, event);
    set(event, NULL);
    found = (ompt_callback_t)callback;
    expect_is(get(event, &found), 0);
  }
  // There are no devices to ask about.
  expect_is(ASK(ompt_get_num_devices)(), omp_get_num_devices());
  uint64_t device = 3, target = 4, operation = 5;
  expect_is(ASK(ompt_get_target_info)(&device, &target, &operation), 0);
  return asker_verdict();
}
