/* A league of one team on the host (OpenMP 5.1 §2.7): its threads see what was written before, and what they write is seen after.
 * Twin: the threads of the team add to one variable. */
#include "archer.h"

int main(void) {
  int input = 7, written[64] = {0}, sum = 0, threads = 0, wrong = 0;
#pragma omp teams num_teams(1) shared(input, written, sum, threads)
  {
#pragma omp parallel
    {
      written[omp_get_thread_num()] = input;
#ifdef RACY
      sum += 1;
#endif
#pragma omp single
      threads = omp_get_num_threads();
    }
  }
  for (int i = 0; i < threads; i++)
    wrong += written[i] != 7;
  return verdict(wrong == 0 && sum == 0);
}
