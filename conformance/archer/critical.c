/* The critical construct without a name (OpenMP 5.1 §2.19.1). Twin: one thread adds outside it. */
#include "archer.h"

int main(void) {
  int counter = 0, place = 0, threads = 0;
#pragma omp parallel
  {
    meet(&place);
    for (int i = 0; i < 20; i++) {
#ifdef RACY
      if (omp_get_thread_num() == 0) {
        counter++;
        continue;
      }
#endif
#pragma omp critical
      {
        counter++;
        threads = omp_get_num_threads();
      }
    }
  }
  return verdict(counter == 20 * threads);
}
