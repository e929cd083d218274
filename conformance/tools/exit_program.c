// Regions with tasks, loops and barriers on several threads, for a tool that ends the process in one of its events.
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
    }
  }
  return 0;
}
