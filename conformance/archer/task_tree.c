/* A tree of tasks, each of which waits for its children (OpenMP 5.1 §2.19.5); the blocks of finished tasks serve again while others run.
 * Twin: each task also adds to one variable. */
#include "archer.h"

static long total;

static long fib(int n) {
  if (n < 2)
    return n;
  long left = 0, right = 0;
#pragma omp task shared(left) firstprivate(n)
  left = fib(n - 1);
#pragma omp task shared(right) firstprivate(n)
  right = fib(n - 2);
#ifdef RACY
  total++;
#endif
#pragma omp taskwait
  return left + right;
}

int main(void) {
  long result = 0;
  int place = 0;
#pragma omp parallel
  {
#ifdef RACY
    /* Two threads at least are sure to add. */
    meet(&place);
    total++;
#endif
#pragma omp single
    result = fib(13);
  }
  (void)place;
  return verdict(result == 233 && total >= 0);
}
