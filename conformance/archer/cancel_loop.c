/* A loop that one thread cancels (OpenMP 5.1 §2.20.1); after its barrier the finder's result is read. Twin: it is read before. */
//@ env: OMP_CANCELLATION=true
#include "archer.h"

enum { N = 1000 };

int main(void) {
  int found = -1, wrong = 0, place = 0;
#pragma omp parallel
  {
#pragma omp for schedule(static, 1)
    for (int i = 0; i < N; i++) {
      if (i == 1) {
        found = i;
        raise_flag(&place);
#pragma omp cancel for
      }
#ifdef RACY
      if (i == 0) {
        await_flag(&place);
        wrong += found != 1;
      }
#endif
#pragma omp cancellation point for
    }
    if (found != 1) {
#pragma omp atomic
      wrong++;
    }
  }
  return verdict(wrong == 0);
}
