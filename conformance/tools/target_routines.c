// Device memory routines: each operation, outside of all target constructs.
#include <omp.h>
#include <stdlib.h>

#include "journal.h"

int main(void) {
  int device = omp_get_default_device(), host = omp_get_initial_device(), x = 7, y = 0, *other = malloc(sizeof x);
  journal_mark("host", host);
  journal_mark("alloc", 0);
  int *there = omp_target_alloc(sizeof x, device); // alloc
  int *again = omp_target_alloc(sizeof x, device);
  journal_mark("to", 0);
  omp_target_memcpy(there, &x, sizeof x, 0, 0, device, host); // to
  journal_mark("within", 0);
  omp_target_memcpy(again, there, sizeof x, 0, 0, device, device); // within
  journal_mark("from", 0);
  omp_target_memcpy(&y, again, sizeof x, 0, 0, host, device); // from
  journal_mark("associate", 0);
  omp_target_associate_ptr(other, there, sizeof x, 0, device); // associate
  journal_mark("disassociate", 0);
  omp_target_disassociate_ptr(other, device); // disassociate
  journal_mark("free", 0);
  omp_target_free(there, device); // free
  omp_target_free(again, device);
  journal_mark("end", 0);
  free(other);
  return y != 7;
}
