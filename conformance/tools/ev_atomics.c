// Atomic operations that the processor lacks, by the entry points that compilers call for them.
#include <omp.h>

#include "journal.h"

extern void __kmpc_atomic_start(void) __attribute__((weak));
extern void __kmpc_atomic_end(void) __attribute__((weak));
extern void __kmpc_atomic_float10_add(void *, int, long double *, long double) __attribute__((weak));
#ifdef __clang__
// Programs of clang do not call gcc's.
#define GOMP_atomic_start __kmpc_atomic_start
#define GOMP_atomic_end __kmpc_atomic_end
#else
extern void GOMP_atomic_start(void);
extern void GOMP_atomic_end(void);
#endif

static volatile int sink;

int main(void) {
  long double sum = 0;
  int own = 0;
  omp_get_max_threads();
  journal_mark("kmpc_region", 0);
#pragma omp parallel
  {
    __kmpc_atomic_start(); // kmpc_start
    own++;
    __kmpc_atomic_end(); // kmpc_end
    sink = 1;
  }
  journal_mark("kmpc_operation", 0);
#pragma omp parallel
  __kmpc_atomic_float10_add(0, omp_get_thread_num(), &sum, 1); // operation
  journal_mark("gomp_region", 0);
#pragma omp parallel
  {
    GOMP_atomic_start(); // gomp_start
    own++;
    GOMP_atomic_end(); // gomp_end
    sink = 2;
  }
  journal_mark("over", 0);
  return own == 2 * (int)sum && (int)sum == omp_get_max_threads() ? 0 : 1;
}
