/* Reductions of region and loop (OpenMP 5.1 §2.21.5), by the runtime's own choice of method, of scalars and of an array. Twin: the
 * threads add to a shared variable. */
#include "archer.h"

enum { N = 64 };

int main(void) {
  int wrong = 0, place[4] = {0};
  for (int round = 0; round < 4; round++) {
    long sum = 0;
    double most = -1;
    int each[8] = {0};
#pragma omp parallel reduction(+ : sum, each) reduction(max : most)
    {
      meet(&place[round]);
#pragma omp for
      for (int i = 0; i < N; i++) {
        sum += i;
        each[i % 8]++;
        most = most > i ? most : i;
      }
    }
    wrong += sum != N * (N - 1) / 2 || most != N - 1 || each[7] != N / 8;
  }
#ifdef RACY
  int shared = 0, here = 0;
#pragma omp parallel
  {
    // One after the other: of two accesses in the very same moment the sanitizer may see neither beside the other.
    await_flags(&here, omp_get_thread_num());
    shared += 1;
    raise_flag(&here);
  }
  wrong += shared == 0;
#endif
  return verdict(wrong == 0);
}
