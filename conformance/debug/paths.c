// Goes through the runtime's doors and trampolines, for a debugger that stops at each of their instructions and wants to see the
// whole stack from there; then rests, with idle workers, in `at_rest`.
#include <omp.h>
#include <stdio.h>
#include <unistd.h>

static omp_lock_t lock;
static omp_nest_lock_t nest;
static volatile int sink;

__attribute__((noinline)) void at_rest(void) { sink++; }
__attribute__((noinline)) void in_region(void) { sink++; }
__attribute__((noinline)) void in_task(void) { sink++; }

static void loops(int n) {
#pragma omp for
  for (int i = 0; i < n; i++) sink += i;
#pragma omp for schedule(static, 2)
  for (int i = 0; i < n; i++) sink += i;
#pragma omp for schedule(dynamic, 3)
  for (int i = 0; i < n; i++) sink += i;
#pragma omp for schedule(guided)
  for (unsigned long i = 0; i < (unsigned long)n; i++) sink += (int)i;
#pragma omp for schedule(runtime) ordered
  for (int i = 0; i < n; i++) {
#pragma omp ordered
    sink += i;
  }
#pragma omp sections
  {
#pragma omp section
    sink++;
#pragma omp section
    sink++;
  }
}

static int tasks(int n) {
  int sum = 0, before = 0;
  for (int i = 0; i < n; i++) {
#pragma omp task shared(sum)
    {
      in_task();
#pragma omp atomic
      sum++;
    }
  }
#pragma omp taskyield
#pragma omp taskwait
#pragma omp taskgroup
  {
#pragma omp task depend(out : before)
    before = 1;
#pragma omp task depend(in : before) if (n < 0)
    sink += before;
  }
#pragma omp taskloop grainsize(2)
  for (int i = 0; i < n; i++) sink += i;
  return sum;
}

int main(void) {
  int a = 1, b = 2, c = 3, d = 4, e = 5, total = 0, copied = 0;
  double wide = 0;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
  omp_set_schedule(omp_sched_dynamic, 2);
  omp_set_max_active_levels(2);
#pragma omp parallel firstprivate(a, b, c, d, e, copied) reduction(+ : total, wide)
  {
    in_region();
    total += a + b + c + d + e;
    wide += 1;
    loops(12);
#pragma omp barrier
#pragma omp critical
    sink++;
#pragma omp critical(named)
    sink++;
#pragma omp master
    sink++;
#pragma omp single copyprivate(copied)
    copied = 1;
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
#pragma omp single
    total += tasks(8);
#pragma omp parallel num_threads(2)
    sink++;
#pragma omp parallel if (copied > 1)
    sink++;
  }
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < 10; i++) sink += i;
#pragma omp parallel sections
  {
#pragma omp section
    sink++;
#pragma omp section
    sink++;
  }
  // Long enough for idle workers to fall asleep.
  usleep(100000);
  at_rest();
  printf("%d %g\n", total, wide);
  return 0;
}
