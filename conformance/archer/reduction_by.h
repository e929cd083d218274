/* Reductions of loops with and without nowait (OpenMP 5.1 §2.21.5), by the method that the program which includes this has chosen. Twin: the
 * second loop lacks its reduction. */
#include "archer.h"

enum { N = 64 };

int main(void) {
  int wrong = 0, place = 0, turn = 0;
  long sum = 0, product = 0;
  double mean = 0;
#pragma omp parallel
  {
    meet(&place);
#pragma omp for reduction(+ : sum, mean)
    for (int i = 0; i < N; i++) {
      sum += i;
      mean += 1;
    }
    if (sum != N * (N - 1) / 2 || mean != N) {
#pragma omp atomic
      wrong++;
    }
#ifndef RACY
#pragma omp for reduction(+ : product) nowait
#else
    // One after the other: of two accesses in the very same moment the sanitizer may see neither beside the other.
    await_flags(&turn, omp_get_thread_num());
#pragma omp for nowait
#endif
    for (int i = 0; i < N; i++)
      product += 2;
#ifdef RACY
    raise_flag(&turn);
#endif
#pragma omp barrier
    if (product != 2 * N) {
#pragma omp atomic
      wrong++;
    }
  }
  (void)turn;
  return verdict(wrong == 0);
}
