// Chains of short tasks, generated while they run: whether a task still has to wait for the one before it changes from run to
// run.
#include <omp.h>

#include "journal.h"

enum { CHAINS = 4, LENGTH = 60 };

int main(void) {
  int value[CHAINS] = {0};
#pragma omp parallel
#pragma omp single
  for (int step = 0; step < LENGTH; step++)
    for (int chain = 0; chain < CHAINS; chain++) {
#pragma omp task depend(inout : value[chain]) shared(value)
      value[chain]++;
#pragma omp task depend(mutexinoutset : value[chain]) shared(value)
      value[chain]++;
#pragma omp task depend(mutexinoutset : value[chain]) shared(value)
      value[chain]++;
    }
  for (int chain = 0; chain < CHAINS; chain++)
    if (value[chain] != 3 * LENGTH)
      return 1;
  return 0;
}
