// A warning of the error directive at execution time (2.5.4).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp error at(execution) severity(warning) message("careful")
  work();
  return 0;
}
