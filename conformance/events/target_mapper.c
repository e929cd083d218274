// A user-defined mapper: the structure is mapped, then what its pointer points to, and the pointer is attached. OpenMP 5.1, 2.21.7.4
//@ threads: 1
//@ devices: 1
//@ compilers: clang
#include "events.h"

struct list {
  int count;
  int *first;
};
#pragma omp declare mapper(whole : struct list s) map(tofrom : s) map(tofrom : s.first[0 : s.count])

int main(void) {
  int values[4] = {1, 2, 3, 4};
  struct list list = {4, values};
#pragma omp target map(mapper(whole), tofrom : list)
  list.first[0] += list.count;
  return 0;
}
