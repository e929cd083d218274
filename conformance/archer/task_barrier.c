/* Tasks are complete at the next barrier (OpenMP 5.1 §2.19.2), also those of other threads and of tasks. Twin: the barrier comes too
 * late. */
#include "archer.h"

int main(void) {
  int written[64] = {0}, wrong = 0, place = 0, ran = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num(), n = omp_get_num_threads();
    for (int round = 1; round < 4; round++) {
#pragma omp task shared(written, ran) firstprivate(me, round)
      {
#pragma omp task shared(written, ran) firstprivate(me, round)
        {
          written[me] = round;
          raise_flag(&ran);
        }
      }
#ifdef RACY
      /* All but one thread come to the barrier and run the tasks. */
      if (round == 3 && me == 0) {
        await_flags(&ran, 3 * n);
        for (int i = 0; i < n; i++)
          wrong += written[i] != 3;
      }
#endif
#pragma omp barrier
      if (written[(me + 1) % n] != round) {
#pragma omp atomic
        wrong++;
      }
#pragma omp barrier
    }
    meet(&place);
  }
  return verdict(wrong == 0);
}
