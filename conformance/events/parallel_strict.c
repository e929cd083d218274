// A strict num_threads clause that cannot be met: the effect is that of an error directive, so that tools hear of an error where the
// parallel construct is. The region asks for as many threads as the clause says (OpenMP 6.0, 12.1.2; 5.1, 4.5.2.30).
//@ threads: 1
//@ compilers: clang
//@ env: OMP_THREAD_LIMIT=1
#include "events.h"

void __kmpc_push_num_threads_strict(void *, int, int, int, const char *);
int __kmpc_global_thread_num(void *);

int main(void) {
  __kmpc_push_num_threads_strict(0, __kmpc_global_thread_num(0), 3, 1, "too few");
#pragma omp parallel
  work();
  return 0;
}
