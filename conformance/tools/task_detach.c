// Detachable tasks whose events are fulfilled before, during and after their bodies, and at the same time as they end.
#include <omp.h>

#include "journal.h"

enum { TASKS = 200 };

int main(void) {
  int ran = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t gate_opens, before, inside, after;
    journal_mark("before", 0);
    int gate = 0;
#pragma omp task detach(gate_opens) depend(out : gate) shared(gate)
    gate = 1;
#pragma omp task detach(before) depend(in : gate) shared(ran)
#pragma omp atomic
    ran++;
    omp_fulfill_event(before);
    omp_fulfill_event(gate_opens);
#pragma omp taskwait
    journal_mark("inside", 0);
#pragma omp task detach(inside) shared(ran)
    {
#pragma omp atomic
      ran++;
      omp_fulfill_event(inside);
    }
#pragma omp taskwait
    journal_mark("after", 0);
    int returned = 0;
#pragma omp task detach(after) shared(ran)
#pragma omp atomic
    ran++;
    // With one thread this one runs last or first; with more, at any time.
#pragma omp task firstprivate(after) shared(returned)
    {
      returned = 1;
      omp_fulfill_event(after);
    }
#pragma omp taskwait
    journal_mark("racing", 0);
    for (int count = 0; count < TASKS; count++) {
      omp_event_handle_t event;
#pragma omp task detach(event) shared(ran)
#pragma omp atomic
      ran++;
#pragma omp task firstprivate(event)
      omp_fulfill_event(event);
    }
#pragma omp taskwait
    journal_mark("over", 0);
  }
  return ran == TASKS + 3 ? 0 : 1;
}
