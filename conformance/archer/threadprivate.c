/* threadprivate variables keep each thread's value between regions; copyin takes the primary thread's (OpenMP 5.1 §2.21.2, §2.21.6.1).
 * Twin: an ordinary variable beside them. */
#include "archer.h"

static int counter, plain;
#pragma omp threadprivate(counter)

int main(void) {
  int wrong = 0, place[4] = {0};
  counter = 7;
  for (int round = 0; round < 4; round++) {
#pragma omp parallel copyin(counter)
    {
      meet(&place[round]);
      counter += omp_get_thread_num();
#ifdef RACY
      plain = omp_get_thread_num();
#endif
      if (counter != 7 + omp_get_thread_num()) {
#pragma omp atomic
        wrong++;
      }
    }
  }
  return verdict(wrong == 0 && plain >= 0);
}
