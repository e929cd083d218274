// Kinds of dependences. One thread generates the tasks and executes them, none before it waits, so that the order of events is known.
#include <omp.h>

#include "journal.h"

int main(void) {
  int a = 0, b = 0, c = 0, list[3] = {0};
  omp_depend_t object;
#pragma omp depobj(object) depend(in : c)
#pragma omp parallel num_threads(2)
  if (journal_is_first(omp_get_thread_num())) {
    journal_mark("kinds", 0);
#pragma omp task depend(out : a) shared(a)
    a = 1;
#pragma omp task depend(in : a) depend(inout : b) shared(a, b)
    b = a;
#pragma omp task depend(mutexinoutset : a, c)
    ;
#pragma omp task depend(mutexinoutset : a)
    ;
#pragma omp task depend(depobj : object)
    ;
#pragma omp task depend(iterator(i = 0 : 3), out : list[i])
    ;
#ifdef __clang__
#pragma omp task depend(inoutset : b)
    ;
#pragma omp task depend(out : omp_all_memory)
    ;
#endif
#pragma omp taskwait
    journal_mark("taskwait", 0);
#pragma omp task depend(out : a) shared(a)
    a = 2;
#pragma omp taskwait depend(in : a)
    journal_mark("waited", a);
#ifdef __clang__
#pragma omp task depend(out : a) shared(a)
    a = 3;
#pragma omp taskwait depend(in : a) nowait
#pragma omp taskwait
#endif
    journal_mark("undeferred", 0);
#pragma omp task depend(out : a) shared(a)
    a = 4;
#pragma omp task if (0) depend(in : a) shared(a)
    journal_mark("undeferred_body", a);
#pragma omp taskwait
    journal_mark("over", 0);
    journal_is_through();
  }
#pragma omp depobj(object) destroy
  return 0;
}
