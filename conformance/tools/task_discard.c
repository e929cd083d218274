// Tasks of a taskgroup that is cancelled before they begin, detachable ones whose events are fulfilled when their memory has
// been used for other tasks.
#include <omp.h>

#include "journal.h"

enum { TASKS = 20 };

int main(void) {
  int ran = 0, later = 0;
#pragma omp parallel
#pragma omp single
  {
    omp_event_handle_t events[TASKS];
#pragma omp taskgroup
    {
      int gate = 0;
      // The tasks below cannot begin before this one, which cancels them.
#pragma omp task depend(out : gate) shared(gate)
      {
        gate = 1;
#pragma omp task
        {
#pragma omp cancel taskgroup // cancel
        }
#pragma omp taskwait
      }
      for (int index = 0; index < TASKS; index++) {
        omp_event_handle_t event;
#pragma omp task depend(in : gate) detach(event) shared(ran)
#pragma omp atomic
        ran++;
        events[index] = event;
      }
    }
    journal_mark("again", 0);
    for (int index = 0; index < 4 * TASKS; index++) {
      omp_event_handle_t event;
#pragma omp task detach(event) shared(later)
#pragma omp atomic
      later++;
      if (index < TASKS)
        omp_fulfill_event(events[index]);
#pragma omp task firstprivate(event)
      omp_fulfill_event(event);
    }
#pragma omp taskwait
    journal_mark("over", (uint64_t)later);
  }
  journal_mark("ran", (uint64_t)ran);
  return later == 4 * TASKS ? 0 : 1;
}
