// A doacross nest of 4 by 3 iterations, each of which waits for those above and left of it.
#include <omp.h>

#include "journal.h"

int main(void) {
#pragma omp parallel for ordered(2) schedule(dynamic)
  for (int row = 0; row < 4; row++)
    for (int column = 0; column < 3; column++) {
#pragma omp ordered depend(sink : row - 1, column) depend(sink : row, column - 1)
      journal_mark("iteration", (uint64_t)(row * 3 + column));
#pragma omp ordered depend(source)
    }
  return 0;
}
