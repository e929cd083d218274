// A command to the tool is the first that the runtime hears of the program (3.14).
//@ threads: 1
#include "events.h"

int main(void) {
  omp_control_tool(omp_control_tool_start, 0, 0);
  return 0;
}
