/* The task modifier of a region's reduction (OpenMP 5.1 §2.21.5.4), in which the region's tasks take part. Twin: the tasks add to a shared
 * variable. */
//@ stock-fails: clang because the copies are combined before the end of the taskgroup, without an event
#include "archer.h"

int main(void) {
  long sum = 0, other = 0;
  int threads = 0, place = 0;
#pragma omp parallel reduction(task, + : sum)
  {
    meet(&place);
    sum += 1;
    for (int i = 0; i < 4; i++) {
#pragma omp task in_reduction(+ : sum) shared(other)
      {
        sum += 10;
#ifdef RACY
        other++;
#endif
      }
    }
#pragma omp single
    threads = omp_get_num_threads();
  }
  (void)other;
  return verdict(sum == 41L * threads);
}
