// The program ends in the middle of a region, by a call of exit on a worker while its team works.
#include <omp.h>
#include <stdlib.h>
#include <unistd.h>

int main(void) {
#pragma omp parallel num_threads(3)
  {
#pragma omp barrier
    if (omp_get_thread_num() == 1) {
      // The others are out of the barrier by then, and at work when the program ends.
      usleep(200000);
      exit(0);
    }
    usleep(400000);
#pragma omp barrier
  }
  return 0;
}
