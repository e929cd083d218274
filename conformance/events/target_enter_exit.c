// target enter data and target exit data: what the first enters the second leaves; delete ends what was entered twice.
// OpenMP 5.1, 2.14.3, 2.14.4
//@ threads: 1
//@ devices: 1
#include "events.h"

int main(void) {
  int x = 1, y = 1;
#pragma omp target enter data map(to : x)
#pragma omp target exit data map(from : x)
#pragma omp target enter data map(alloc : y)
#pragma omp target enter data map(to : y)
#pragma omp target exit data map(release : y)
#pragma omp target exit data map(delete : y)
  return 0;
}
