// Target constructs of every kind, one after the other, with marks between them.
#include <omp.h>

#include "journal.h"

int main(void) {
  int x = 0, y = 0, z = 0;
  journal_mark("target", omp_get_initial_device());
#pragma omp target map(tofrom : x) // target
  x++;
  journal_mark("data", 0);
#pragma omp target data map(tofrom : x) // data
  journal_mark("inside", 0);
  journal_mark("enter", 0);
#pragma omp target enter data map(to : x) // enter
  journal_mark("update", 0);
#pragma omp target update to(x) // update
  journal_mark("exit", 0);
#pragma omp target exit data map(from : x) // exit
  journal_mark("nowait", 0);
#pragma omp parallel num_threads(2)
#pragma omp single
  {
#pragma omp target enter data map(to : y) nowait depend(inout : y) // enter nowait
#pragma omp target nowait map(tofrom : y) depend(inout : y) // target nowait
    y = x + 1;
#pragma omp target update from(y) nowait depend(inout : y) // update nowait
#pragma omp target exit data map(release : y) nowait depend(inout : y) // exit nowait
#pragma omp taskwait
  }
  journal_mark("depend", 0);
#pragma omp task depend(out : z) shared(z)
  z = 1;
#pragma omp target map(tofrom : z) depend(inout : z) // depend
  z++;
  journal_mark("parallel", 0);
#pragma omp target map(tofrom : z)
#pragma omp parallel num_threads(3) reduction(+ : z)
  {
    z++;
    journal_target("parallel");
  }
  journal_mark("end", 0);
  return !(x == 1 && y == 2 && z == 5);
}
