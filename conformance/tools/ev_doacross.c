// A nest of loops whose iterations wait for each other, and one without threads to wait for.
#include <omp.h>

#include "journal.h"

static volatile int cell[8][8];

int main(void) {
#pragma omp parallel
#pragma omp for ordered(2) schedule(static, 1)
  for (int i = 1; i < 5; i++)
    for (int j = 1; j < 4; j++) {
      journal_mark("begin", i * 8 + j);
#pragma omp ordered depend(sink : i - 1, j)
      cell[i][j] = cell[i - 1][j] + 1;
      journal_mark("work", i * 8 + j);
#pragma omp ordered depend(source)
    }
  return 0;
}
