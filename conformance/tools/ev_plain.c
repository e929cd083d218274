// One region with an explicit barrier and nothing else.
#include <omp.h>

int main(void) {
#pragma omp parallel
  {
#pragma omp barrier
  }
  return 0;
}
