// Atomic operations by the entry points that compilers call for them: those that the processor lacks, and some that it has.
#include <omp.h>

#include "journal.h"

extern void __kmpc_atomic_start(void) __attribute__((weak));
extern void __kmpc_atomic_end(void) __attribute__((weak));
extern void __kmpc_atomic_float10_add(void *, int, long double *, long double) __attribute__((weak));
extern void __kmpc_atomic_fixed4_add(void *, int, int *, int) __attribute__((weak));
extern long __kmpc_atomic_fixed8_rd(void *, int, long *) __attribute__((weak));
extern double __kmpc_atomic_float8_mul_cpt(void *, int, double *, double, int) __attribute__((weak));
extern short __kmpc_atomic_fixed2_swp(void *, int, short *, short) __attribute__((weak));
extern _Bool __kmpc_atomic_bool_4_cas(void *, int, int *, int, int) __attribute__((weak));
extern void __kmpc_atomic_4(void *, int, void *, void *, void (*)(void *, void *, void *)) __attribute__((weak));
extern void __kmpc_atomic_20(void *, int, void *, void *, void (*)(void *, void *, void *)) __attribute__((weak));
#ifdef __clang__
// Programs of clang do not call gcc's.
#define GOMP_atomic_start __kmpc_atomic_start
#define GOMP_atomic_end __kmpc_atomic_end
#else
extern void GOMP_atomic_start(void);
extern void GOMP_atomic_end(void);
#endif

static volatile int sink;

static void add_int(void *out, void *old, void *by) { *(int *)out = *(int *)old + *(int *)by; }

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
  journal_mark("add", 0);
  int threads = omp_get_max_threads(), count = 0, flag = 0, one = 1, many[5] = {0};
  long wide = 5;
  double product = 1;
  short last = 0;
  struct __attribute__((packed)) {
    char before;
    int count;
  } packed = {0, 0};
#pragma omp parallel
  {
    __kmpc_atomic_fixed4_add(0, omp_get_thread_num(), &count, 1); // add
    sink = 3;
  }
  journal_mark("read", 0);
#pragma omp parallel
  sink = __kmpc_atomic_fixed8_rd(0, omp_get_thread_num(), &wide); // read
  journal_mark("capture", 0);
#pragma omp parallel
  sink = __kmpc_atomic_float8_mul_cpt(0, omp_get_thread_num(), &product, 2, 1); // capture
  journal_mark("swap", 0);
#pragma omp parallel
  sink = __kmpc_atomic_fixed2_swp(0, omp_get_thread_num(), &last, 7); // swap
  journal_mark("compare", 0);
#pragma omp parallel
  sink = __kmpc_atomic_bool_4_cas(0, omp_get_thread_num(), &flag, 0, 1); // compare
  journal_mark("function", 0);
#pragma omp parallel
  {
    __kmpc_atomic_4(0, omp_get_thread_num(), &count, &one, add_int); // function
    sink = 3;
  }
  journal_mark("in_place", 0);
#pragma omp parallel
  {
    __kmpc_atomic_20(0, omp_get_thread_num(), many, &one, add_int); // in_place
    sink = 3;
  }
  journal_mark("unaligned", 0);
#pragma omp parallel
  {
    __kmpc_atomic_fixed4_add(0, omp_get_thread_num(), (int *)((char *)&packed + 1), 1); // unaligned
    sink = 3;
  }
  journal_mark("over", 0);
  journal_mark("count_at", (uint64_t)&count);
  int right = count == 2 * threads && flag == 1 && many[0] == threads && packed.count == threads && last == 7 && product >= 2;
  return right && own == 2 * (int)sum && (int)sum == threads ? 0 : 1;
}
