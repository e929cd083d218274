/* Regions of one thread inside a region (OpenMP 5.1 §2.6), with their own barriers, tasks and reductions. Twin: the tasks of the inner
 * regions add to a variable of all. */
#include "archer.h"

int main(void) {
  int wrong = 0, place = 0, all = 0;
  omp_set_max_active_levels(1);
#pragma omp parallel
  {
    meet(&place);
    for (int round = 0; round < 5; round++) {
      int value = 0, sum = 0;
#pragma omp parallel num_threads(4) reduction(+ : sum)
      {
#pragma omp task shared(value)
        {
          value = round;
#ifdef RACY
          all++;
#endif
        }
#pragma omp barrier
        sum += value;
      }
      if (sum != round) {
#pragma omp atomic
        wrong++;
      }
    }
  }
  (void)all;
  return verdict(wrong == 0);
}
