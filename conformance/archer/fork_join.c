/* What is written before a region is read in it, and what is written in it after its end (OpenMP 5.1 §2.6), again and again with teams
 * of changing size. Twin: the primary thread reads inside the region. */
#include "archer.h"

int main(void) {
  int most = omp_get_max_threads(), wrong = 0;
  for (int round = 0; round < 6; round++) {
    int input = round, output[64] = {0}, sum = 0, threads = 0, place = 0;
#pragma omp parallel num_threads(round % 2 ? most : (most + 1) / 2 + 1)
    {
      output[omp_get_thread_num()] = input + 1;
      if (omp_get_thread_num() == 0)
        threads = omp_get_num_threads();
      meet(&place);
#ifdef RACY
      if (omp_get_thread_num() == 0)
        for (int i = 0; i < threads; i++)
          sum += output[i];
#endif
    }
#ifndef RACY
    for (int i = 0; i < threads; i++)
      sum += output[i];
#endif
    wrong += sum != threads * (round + 1);
  }
  return verdict(wrong == 0);
}
