// Reductions of each method: an operator that atomic operations have, one that they lack, of a region and of loops, with and
// without a wait, with tasks.
#include <omp.h>
#include <stdio.h>

#include "journal.h"

struct pair {
  long sum, product;
};

#pragma omp declare reduction(both : struct pair : omp_out.sum += omp_in.sum, omp_out.product *= omp_in.product) \
    initializer(omp_priv = (struct pair){0, 1})

int main(void) {
  long sum = 0;
  struct pair pair = {0, 1};

  // Brings the runtime up, and with it the tool.
  int threads = omp_get_max_threads();
  journal_mark("before_region", 0);
#pragma omp parallel reduction(+ : sum) // region
  sum += 1;
  journal_mark("after_region", 0);

  journal_mark("before_loop", 0);
#pragma omp parallel
  {
#pragma omp for reduction(+ : sum) // loop
    for (int i = 0; i < 40; i++)
      sum += i;
  }
  journal_mark("after_loop", 0);

  journal_mark("before_own", 0);
#pragma omp parallel
  {
#pragma omp for reduction(both : pair) // own
    for (int i = 0; i < 40; i++)
      pair.sum += i;
  }
  journal_mark("after_own", 0);

  long tasks = 0;
  journal_mark("before_tasks", 0);
#pragma omp parallel
#pragma omp single
#pragma omp taskgroup task_reduction(+ : tasks)
  for (int i = 0; i < 10; i++) {
#pragma omp task in_reduction(+ : tasks)
    tasks += i;
  }
  journal_mark("after_tasks", 0);

  long of_tasks = 0;
  journal_mark("before_modifier", 0);
#pragma omp parallel reduction(task, + : of_tasks)
  {
#pragma omp task in_reduction(+ : of_tasks)
    of_tasks += 1;
  }
  journal_mark("after_modifier", 0);
  return sum == threads + 780 && pair.sum == 780 && pair.product == 1 && tasks == 45 && of_tasks == threads ? 0 : 1;
}
