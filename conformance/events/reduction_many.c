// A reduction of five variables, which compilers do not do by atomic updates (2.21.5).
//@ threads: 2
#include "events.h"

static int a, b, c, d, e;

int main(void) {
#pragma omp parallel reduction(+ : a, b, c, d, e)
  a++, b++, c++, d++, e++;
  return 0;
}
