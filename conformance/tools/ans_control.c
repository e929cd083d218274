// omp_control_tool from everywhere: the answer, the place in the program, and that the task that calls it is inside the runtime.
#include "asker.h"

// As in OpenMP 5.1's omp.h; gcc's does not have them.
enum { START = 1, PAUSE = 2, NO_TOOL = -2, NO_CALLBACK = -1 };

static ompt_get_task_info_t task_info;
static int (*control)(int, int, void *);
static const char *low, *high;
static atomic_int calls;

static int on_control(uint64_t command, uint64_t modifier, void *argument, const void *code) {
  atomic_fetch_add(&calls, 1);
  Dl_info info;
  expect(dladdr(code, &info) && (const char *)code >= low && (const char *)code < high, code);
  ompt_frame_t *frame = NULL;
  int flags = 0;
  expect_is(task_info(0, &flags, NULL, &frame, NULL, NULL), 2);
  expect(frame && frame->enter_frame.ptr, 0);
  expect(argument == &calls, argument);
  expect_is(flags & 0xf, modifier);
  return (int)command + 100;
}

__attribute__((noinline)) static void ask(int kind) {
  expect_is(control(5, kind, &calls), 105);
  expect_is(control(PAUSE, kind, &calls), 100 + PAUSE);
}

int main(void) {
  control = (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
  extern char __executable_start, etext;
  low = &__executable_start;
  high = &etext;
  // Before anything else of OpenMP: the tool is there, and has no callback for it yet.
  expect_is(control(START, 0, NULL), NO_CALLBACK);
  task_info = ASK(ompt_get_task_info);
  expect_is(ASK(ompt_set_callback)(ompt_callback_control_tool, (ompt_callback_t)on_control), ompt_set_always);
  ask(ompt_task_initial);
#pragma omp parallel num_threads(3)
  {
    ask(ompt_task_implicit);
#pragma omp single
    {
#pragma omp task
      ask(ompt_task_explicit);
#pragma omp task if (0)
      ask(ompt_task_explicit);
    }
#pragma omp critical
    ask(ompt_task_implicit);
  }
#pragma omp teams num_teams(2)
  ask(ompt_task_initial);
  ask(ompt_task_initial);
  expect_is(atomic_load(&calls), 2 * (1 + 3 + 2 + 3 + 2 + 1));
  ASK(ompt_finalize_tool)();
  expect_is(control(5, 0, NULL), NO_TOOL);
  return asker_verdict();
}
