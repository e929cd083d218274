// Device memory routines that do not wait for their operations, which are done in target tasks.
#include <omp.h>

#include "journal.h"

// Of OpenMP 6.0: not every omp.h has it.
void *omp_target_memset_async(void *, int, size_t, int, int, omp_depend_t *);

int main(void) {
  int device = omp_get_default_device(), host = omp_get_initial_device(), x = 7;
  int *there = omp_target_alloc(sizeof x, device);
  journal_mark("copy", 0);
  omp_target_memcpy_async(there, &x, sizeof x, 0, 0, device, host, 0, NULL);
#pragma omp taskwait
  journal_mark("fill", 0);
  omp_target_memset_async(there, 1, sizeof x, device, 0, NULL);
#pragma omp taskwait
  journal_mark("back", 0);
  omp_target_memcpy_async(&x, there, sizeof x, 0, 0, host, device, 0, NULL);
#pragma omp taskwait
  journal_mark("end", 0);
  omp_target_free(there, device);
  return x != 0x01010101;
}
