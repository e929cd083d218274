// A reduction whose combiner runs a parallel region of its own.
#include <omp.h>

#include "journal.h"

static long sum(long a, long b) {
  long result = 0;
#pragma omp parallel num_threads(1) shared(result)
  result = a + b;
  return result;
}

#pragma omp declare reduction(plus : long : omp_out = sum(omp_out, omp_in)) initializer(omp_priv = 0)

int main(void) {
  long total = 0;
  omp_get_max_threads();
#pragma omp parallel
#pragma omp for reduction(plus : total)
  for (int i = 0; i < 40; i++)
    total += i;
  return total != 780;
}
