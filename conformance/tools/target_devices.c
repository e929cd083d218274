// A region on each device, then on all at once; what was mapped stays until the end.
#include <omp.h>

#include "journal.h"

enum { MOST = 8 };

int main(void) {
  int count = omp_get_num_devices(), on[MOST] = {0};
  journal_mark("host", omp_get_initial_device());
  journal_mark("count", count);
  for (int device = 0; device < count; device++) {
    int *own = &on[device];
    journal_mark("device", device);
#pragma omp target device(device) map(tofrom : own[0 : 1])
    own[0] += omp_get_device_num() + 1;
  }
  journal_mark("together", 0);
#pragma omp parallel num_threads(3)
#pragma omp single
  for (int device = 0; device < count; device++) {
    int *own = &on[device];
#pragma omp target device(device) map(tofrom : own[0 : 1]) nowait
    own[0] += 10;
  }
  journal_mark("end", 0);
  for (int device = 0; device < count; device++)
    if (on[device] != device + 11)
      return 1;
  return 0;
}
