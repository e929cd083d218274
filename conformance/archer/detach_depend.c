/* A detachable task with a dependence (OpenMP 5.1 §2.12.1, §2.19.11): its successor begins when its event is fulfilled. Twin: the successor has
 * no dependence. */
#include "archer.h"

int main(void) {
  int value = 0, ran = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) depend(out : value) shared(value, ran)
    {
      value = 41;
      raise_flag(&ran);
    }
#ifndef RACY
#pragma omp task depend(in : value) shared(value, wrong)
#else
#pragma omp task shared(value, wrong, ran) if (0)
#endif
    {
#ifdef RACY
      await_flag(&ran);
#endif
      wrong += value != 41;
    }
    await_flag(&ran);
    omp_fulfill_event(event);
  }
  return verdict(wrong == 0);
}
