/* A region that one thread cancels (OpenMP 5.1 §2.20.1): after it, what the threads wrote before is read. Twin: it is read inside. */
//@ env: OMP_CANCELLATION=true
#include "archer.h"

int main(void) {
  int written[64] = {0}, wrong = 0, place = 0, threads = 0, sum = 0;
#pragma omp parallel
  {
    written[omp_get_thread_num()] = 1;
    meet(&place);
    if (omp_get_thread_num() == 0) {
      threads = omp_get_num_threads();
#ifdef RACY
      for (int i = 0; i < threads; i++)
        sum += written[i];
#endif
#pragma omp cancel parallel
    }
#pragma omp cancellation point parallel
#pragma omp barrier
  }
  for (int i = 0; i < threads; i++)
    sum += written[i];
  wrong = sum != threads;
  return verdict(wrong == 0);
}
