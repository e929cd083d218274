// threadprivate variables that are copied in: how, the compilers decide (2.21.6.1).
//@ threads: 2
#include "events.h"

static int value;
#pragma omp threadprivate(value)

int main(void) {
#pragma omp parallel copyin(value)
  work();
  return 0;
}
