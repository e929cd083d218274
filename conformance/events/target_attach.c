// A member that is a pointer, and a section that it points to: the counterpart of the pointer is attached to that of the section.
// OpenMP 5.1, 2.21.7.1
//@ threads: 1
//@ devices: 1
#include "events.h"

struct list {
  int count;
  int *first;
};

int main(void) {
  int values[4] = {1, 2, 3, 4};
  struct list list = {4, values};
#pragma omp target map(to : list) map(tofrom : list.first[0 : 4])
  list.first[0] += list.count;
  return 0;
}
