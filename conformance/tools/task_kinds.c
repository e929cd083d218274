// Clauses that show in a task's flags, outside and inside of a final task; each body says its flags as well. One thread
// executes the tasks.
#include <omp.h>

#include "journal.h"

static volatile int zero, one = 1;

int main(void) {
  int value = 0;
#pragma omp parallel
  if (journal_is_first(omp_get_thread_num())) {
    journal_mark("explicit", 0);
#pragma omp task
    journal_ancestors("explicit");
#pragma omp taskwait
    journal_mark("undeferred", 0);
#pragma omp task if (zero)
    journal_ancestors("undeferred");
    journal_mark("untied", 0);
#pragma omp task untied
    journal_ancestors("untied");
#pragma omp taskwait
    journal_mark("untied_undeferred", 0);
#pragma omp task untied if (zero)
    journal_ancestors("untied_undeferred");
    journal_mark("mergeable", 0);
#pragma omp task mergeable if (zero)
    journal_ancestors("mergeable");
    journal_mark("final", 0);
#pragma omp task final(one)
    {
      journal_ancestors("final");
      journal_mark("included", 0);
#pragma omp task
      {
        journal_ancestors("included");
        journal_mark("deeper", 0);
#pragma omp task untied
        journal_ancestors("deeper");
      }
    }
#pragma omp taskwait
    journal_mark("target", 0);
#pragma omp target nowait depend(out : value) map(tofrom : value)
    value = 1;
#pragma omp taskwait
    journal_mark("yield", 0);
#pragma omp task
    journal_mark("other", 0);
#pragma omp taskyield
#pragma omp taskwait
    journal_mark("detach", 0);
    omp_event_handle_t event;
#pragma omp task detach(event)
    journal_ancestors("detach");
    omp_fulfill_event(event);
#pragma omp taskwait
    journal_mark("over", 0);
    journal_is_through();
  }
  return 0;
}
