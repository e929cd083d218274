// An update of an int is one instruction: no call, no event (2.19.7).
//@ threads: 1
#include "events.h"

static int count;

int main(void) {
#pragma omp parallel
  {
#pragma omp atomic
    count++;
  }
  return 0;
}
