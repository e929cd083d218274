/* schedule(runtime) with the barrier at its end (OpenMP 5.1 §2.11.4), monotonic and nonmonotonic dynamic. Twin: nowait. */
#include "archer.h"

enum { N = 64 };

static int fill(int *a) {
  int wrong = 0, first = 0, place = 0;
#pragma omp parallel reduction(+ : wrong)
  {
#ifndef RACY
#pragma omp for schedule(runtime)
#else
#pragma omp for schedule(runtime) nowait
#endif
    for (int i = 0; i < N; i++) {
      if (take_number(&first) < 2)
        await_flags(&first, 2);
      a[i] = i;
    }
    meet(&place);
    for (int i = 0; i < N; i++)
      wrong += a[i] != i;
  }
  return wrong;
}

int main(void) {
  static int a[N], b[N];
  omp_set_schedule(omp_sched_dynamic, 2);
  int wrong = fill(a);
  omp_set_schedule(omp_sched_monotonic | omp_sched_dynamic, 3);
  wrong += fill(b);
  return verdict(wrong == 0);
}
