// Two loops as one: the count is that of both (2.11.4).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp for collapse(2) schedule(dynamic, 6)
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 3; j++)
        work();
    work(); // after the construct
  }
  return 0;
}
