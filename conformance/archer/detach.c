/* A detachable task (OpenMP 5.1 §2.12.1, §3.11.1): it is complete when its event is fulfilled, by another task here, and who waits for it
 * sees what was written before that. Twin: the value is written after the event is fulfilled. */
#include "archer.h"

int main(void) {
  int value = 0, before = 0, written = 0, wrong = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t event;
#pragma omp task detach(event) shared(before)
    before = 1;
#pragma omp task firstprivate(event) shared(value, written)
    {
#ifndef RACY
      value = 42;
      raise_flag(&written);
      omp_fulfill_event(event);
#else
      omp_fulfill_event(event);
      value = 42;
      raise_flag(&written);
#endif
    }
    /* Another thread fulfils the event. */
    await_flag(&written);
#pragma omp taskwait depend(in : value)
#ifdef RACY
    wrong += value != 42;
#endif
#pragma omp taskwait
#ifndef RACY
    wrong += value != 42 || before != 1;
#endif
  }
  return verdict(wrong == 0);
}
