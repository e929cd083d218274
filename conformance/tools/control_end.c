// Ends the journal tool in the middle (its command 64), and goes on: nothing may reach the tool afterwards.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <unistd.h>

static volatile int sink;

int main(void) {
  int (*control_tool)(int, int, void *) = (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
  if (!control_tool)
    return 3;
#pragma omp parallel
  sink = 1;
  // A tool may only be ended while no region is active, and the workers may still be on their way out of this one.
  usleep(100000);
  control_tool(64, 5, 0);
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
    {
#pragma omp barrier
#pragma omp critical
      sink = 2;
#pragma omp task
      sink = 3;
    }
  }
  // What a tool that is gone would answer.
  return control_tool(4, 6, 0) == -2 ? 0 : 4;
}
