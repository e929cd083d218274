/* A dynamic loop with nowait, then a barrier (OpenMP 5.1 §2.11.4). Iterations wait for each other, so that two threads have some. Twin: without
 * the barrier. */
#include "archer.h"

enum { N = 64 };

int main(void) {
  static int a[N];
  int wrong = 0, first = 0, place = 0;
#pragma omp parallel
  {
#pragma omp for schedule(dynamic, 1) nowait
    for (int i = 0; i < N; i++) {
      /* The first thread that comes here waits for the second. */
      if (take_number(&first) < 2)
        await_flags(&first, 2);
      a[i] = i;
    }
#ifndef RACY
#pragma omp barrier
#endif
    meet(&place);
    if (omp_get_thread_num() < 2) {
      for (int i = 0; i < N; i++)
        if (a[i] != i) {
#pragma omp atomic
          wrong++;
        }
    }
  }
  return verdict(wrong == 0);
}
