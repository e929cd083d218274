// A target region whose if clause is false is executed by the host: an initial task there, and no data operation. OpenMP 5.1, 2.14.5
//@ threads: 1
//@ devices: 1
#include "events.h"

int main(void) {
  int x = 1, no = omp_get_num_devices() < 0;
#pragma omp target map(tofrom : x) if (no)
  x++;
  return 0;
}
