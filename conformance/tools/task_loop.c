// Taskloops: plain, without a group, undeferred, one of many tasks, one without iterations, and one inside a final task.
#include <omp.h>

#include "journal.h"

static volatile int zero, one = 1;

int main(void) {
  int sum = 0;
#pragma omp parallel
#pragma omp single
  {
    journal_mark("plain", 0);
#pragma omp taskloop num_tasks(4) shared(sum) // plain
    for (int index = 5; index < 27; index += 2)
#pragma omp atomic
      sum++;
    journal_mark("nogroup", 0);
#pragma omp taskloop grainsize(3) nogroup shared(sum)
    for (int index = 10; index > 0; index--)
#pragma omp atomic
      sum++;
#pragma omp taskwait
    journal_mark("undeferred", 0);
#pragma omp taskloop num_tasks(2) if (zero) shared(sum)
    for (int index = 0; index < 4; index++)
#pragma omp atomic
      sum++;
    journal_mark("many", 0);
#pragma omp taskloop grainsize(1) shared(sum)
    for (int index = 0; index < 300; index++)
#pragma omp atomic
      sum++;
    journal_mark("empty", 0);
#pragma omp taskloop shared(sum)
    for (int index = 0; index < zero; index++)
#pragma omp atomic
      sum++;
    journal_mark("reduction", 0);
#pragma omp taskloop num_tasks(4) reduction(+ : sum)
    for (int index = 0; index < 8; index++)
      sum++;
    journal_mark("over", 0);
  }
  return sum == 11 + 10 + 4 + 300 + 8 ? 0 : 1;
}
