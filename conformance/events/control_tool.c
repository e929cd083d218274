// A program commands its tool (3.14).
//@ threads: 1
#include "events.h"

static int argument;

int main(void) {
#pragma omp parallel
  omp_control_tool(omp_control_tool_pause, 0, 0);
  omp_control_tool(omp_control_tool_start, 1, &argument);
  return 0;
}
