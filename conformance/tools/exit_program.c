// Regions with tasks, their dependences, loops and barriers on several threads, for a tool that ends the process in one of its events.
#include <omp.h>

int main(void) {
  volatile int sink = 0;
  for (int round = 0; round < 3; round++) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 20; i++) sink += i;
#pragma omp single
      for (int i = 0; i < 10; i++) {
#pragma omp task
        sink++;
      }
#pragma omp barrier
#pragma omp single
      {
        int held = 1;
        // Waits until the tasks behind it have been generated, so that they have to wait as well.
#pragma omp task depend(out : sink) shared(held)
        for (int wait = 1; wait;) {
#pragma omp atomic read
          wait = held;
        }
        for (int i = 0; i < 3; i++) {
#pragma omp task depend(inout : sink)
          sink++;
        }
#pragma omp atomic write
        held = 0;
#pragma omp taskwait
#pragma omp taskgroup
        {
#pragma omp task
          {
#pragma omp cancel taskgroup
          }
        }
      }
    }
  }
  return 0;
}
