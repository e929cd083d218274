// One thread takes every chunk of a dynamic loop, in order (2.11.4).
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 2)
    for (int i = 0; i < 5; i++)
      work();
    work(); // after the loop
  }
  return 0;
}
