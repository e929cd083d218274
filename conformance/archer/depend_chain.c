/* A chain of inout dependences (OpenMP 5.1 §2.19.11) whose tasks run on any thread. Twin: one task in the middle lacks it. */
#include "archer.h"

enum { N = 40 };

int main(void) {
  int value = 0, started = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < N; i++) {
#pragma omp task depend(inout : value) shared(value, started) firstprivate(i)
      {
        value = value + 1;
        raise_flag(&started);
      }
#ifdef RACY
      if (i == N / 2) {
        await_flags(&started, N / 2);
        value = value + 0;
      }
#endif
    }
    await_flag(&started);
  }
  return verdict(value == N);
}
