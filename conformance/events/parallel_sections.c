// Sections combined with their region (2.16.3). One thread, so that the order is certain.
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel sections
  {
#pragma omp section
    work();
#pragma omp section // the second
    work();
  }
  return 0;
}
