// Tasks that run inside the waits of several threads: explicit barrier, taskwait, taskgroup, end of a region. Each task's
// body is marked.
#include <unistd.h>

#include "journal.h"

static void body(int number) {
  journal_mark("body", number);
  usleep(500);
}

int main(void) {
#pragma omp parallel
  {
#pragma omp single nowait
    for (int i = 0; i < 20; i++) {
#pragma omp task
      body(i);
    }
#pragma omp barrier
#pragma omp single
    {
      for (int i = 20; i < 40; i++) {
#pragma omp task untied
        body(i);
      }
#pragma omp taskwait
#pragma omp taskgroup
      for (int i = 40; i < 60; i++) {
#pragma omp task
        body(i);
      }
    }
#pragma omp single nowait
    for (int i = 60; i < 80; i++) {
#pragma omp task
      body(i);
    }
  }
  return 0;
}
