// Memory of the device that a routine gives, a copy there, and a region that uses it by its address: no mapping.
// OpenMP 5.1, 2.14.5, 3.8.1, 3.8.5
//@ threads: 1
//@ devices: 1
#include "events.h"

int main(void) {
  int x = 1, host = omp_get_initial_device(), device = omp_get_default_device();
  int *there = omp_target_alloc(sizeof x, device);
  omp_target_memcpy(there, &x, sizeof x, 0, 0, device, host);
#pragma omp target is_device_ptr(there)
  (*there)++;
  omp_target_memcpy(&x, there, sizeof x, 0, 0, host, device);
  omp_target_free(there, device);
  return 0;
}
