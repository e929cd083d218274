// A pointer and a section of what it points to, mapped by one construct: both have counterparts, and the pointer is attached in place of
// being copied. OpenMP 5.1, 2.21.7.1
//@ threads: 1
//@ devices: 1
//@ compilers: clang
#include "events.h"

int main(void) {
  int values[4] = {1, 2, 3, 4}, *first = values;
#pragma omp target enter data map(to : first[0 : 4]) map(to : first)
#pragma omp target exit data map(from : first[0 : 4]) map(release : first)
  return 0;
}
