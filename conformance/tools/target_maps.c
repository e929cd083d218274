// Map types one by one: the mappings that tools hear of.
#include <omp.h>

#include "journal.h"

int main(void) {
  int to = 1, from = 2, both = 3, alloc = 4, implicit[4] = {5};
  journal_mark("types", omp_get_initial_device());
#pragma omp target map(to : to) map(from : from) map(tofrom : both) map(alloc : alloc)
  {
    alloc = to;
    from = alloc;
    both += to;
  }
  journal_mark("implicit", 0);
#pragma omp target
  implicit[0]++;
  journal_mark("enter", 0);
#pragma omp target enter data map(to : to) map(alloc : alloc)
  journal_mark("again", 0);
#pragma omp target enter data map(to : to)
  journal_mark("release", 0);
#pragma omp target exit data map(release : to)
  journal_mark("delete", 0);
#pragma omp target exit data map(delete : to) map(from : alloc)
  journal_mark("end", 0);
  return !(from == 1 && both == 4 && implicit[0] == 6);
}
