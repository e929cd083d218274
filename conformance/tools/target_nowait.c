// Many target constructs with `nowait`, in chains and side by side, so that they end on whatever thread.
#include <omp.h>

#include "journal.h"

enum { CHAINS = 4, LINKS = 25 };

int main(void) {
  int at[CHAINS] = {0};
  journal_mark("chains", omp_get_initial_device());
#pragma omp parallel
#pragma omp single
  {
    for (int link = 0; link < LINKS; link++)
      for (int chain = 0; chain < CHAINS; chain++) {
        int *own = &at[chain];
#pragma omp target nowait map(tofrom : own[0 : 1]) depend(inout : own[0])
        own[0]++;
      }
#pragma omp taskwait
  }
  journal_mark("group", 0);
  int sum = 0;
#pragma omp taskgroup
  for (int chain = 0; chain < CHAINS; chain++) {
    int *own = &at[chain];
#pragma omp target nowait map(tofrom : own[0 : 1])
    own[0]++;
  }
  for (int chain = 0; chain < CHAINS; chain++)
    sum += at[chain];
  journal_mark("host", 0);
  // A task of the host between two of the device.
  int value = 1;
#pragma omp parallel
#pragma omp single
  {
#pragma omp target nowait map(tofrom : value) depend(inout : value)
    value += 1;
#pragma omp task depend(inout : value) shared(value)
    value *= 10;
#pragma omp target nowait map(tofrom : value) depend(inout : value)
    value += 3;
  }
  journal_mark("end", 0);
  return !(sum == CHAINS * (LINKS + 1) && value == 23);
}
