/* The barrier construct (OpenMP 5.1 §2.19.2), several in a row: each thread reads what its neighbour wrote before. Twin: the last
 * barrier is missing. */
#include "archer.h"

int main(void) {
  int written[64] = {0}, wrong = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num(), n = omp_get_num_threads();
    for (int round = 0; round < 5; round++) {
      written[me] = round;
#ifdef RACY
      if (round < 4)
#endif
      {
#pragma omp barrier
      }
      if (written[(me + 1) % n] != round) {
#pragma omp atomic
        wrong++;
      }
#pragma omp barrier
    }
  }
  return verdict(wrong == 0);
}
