/* A taskgroup that one of its tasks cancels (OpenMP 5.1 §2.20.1): at its end all tasks have ended or never begin. Twin: the result is read
 * inside the taskgroup. */
//@ env: OMP_CANCELLATION=true
#include "archer.h"

int main(void) {
  int result = 0, done = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
#pragma omp taskgroup
    {
#pragma omp task shared(result)
      {
        result = 42;
        raise_flag(&done);
#pragma omp cancel taskgroup
      }
      await_flag(&done);
#ifdef RACY
      wrong += result != 42;
#endif
      for (int i = 0; i < 20; i++) {
#pragma omp task shared(result)
        {
#pragma omp cancellation point taskgroup
          raise_flag(&done);
        }
      }
    }
    wrong += result != 42;
  }
  return verdict(wrong == 0);
}
