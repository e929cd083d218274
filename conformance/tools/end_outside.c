// Ends the journal tool between two regions, from outside of its callbacks: what the runtime's shutdown would bring comes
// first, and later regions still have their threads.
#include <omp.h>

#include "journal.h"

int main(void) {
  int first = 0, second = 0;
#pragma omp parallel num_threads(3) reduction(+ : first)
  first = 1;
  journal_end();
#pragma omp parallel num_threads(3) reduction(+ : second)
  second = 1;
  return first == 3 && second == 3 ? 0 : 1;
}
