// A program for performance tools: each construct that they show, so that what they show can be compared between runtimes
// (docs/tools.md). With four threads: ten regions with a dynamic loop and its reduction, a critical section, a barrier, a single that
// makes a tree of tasks, two sections, a lock and a masked region; then a region in a region.
#include <omp.h>
#include <stdio.h>

static double work(int n) {
  volatile double x = 1;
  for (int i = 0; i < n * 1000; i++)
    x = x * 1.0000001 + 1e-9;
  return x;
}

static long fib(int n) {
  long left, right;
  if (n < 2)
    return n;
#pragma omp task shared(left) if (n > 8)
  left = fib(n - 1);
#pragma omp task shared(right) if (n > 8)
  right = fib(n - 2);
#pragma omp taskwait
  return left + right;
}

int main(void) {
  double sum = 0;
  long result = 0;
  int count = 0;
  omp_lock_t lock;
  omp_init_lock(&lock);
  for (int round = 0; round < 10; round++) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 4) reduction(+ : sum)
      for (int i = 0; i < 64; i++)
        sum += work(i);
#pragma omp critical
      count++;
#pragma omp barrier
#pragma omp single
      result = fib(14);
#pragma omp sections
      {
#pragma omp section
        work(50);
#pragma omp section
        work(80);
      }
      omp_set_lock(&lock);
      count++;
      omp_unset_lock(&lock);
#pragma omp masked
      work(10);
    }
  }
  omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
#pragma omp parallel num_threads(2)
  work(20);
  omp_destroy_lock(&lock);
  printf("%s\n", sum > 0 && result == 377 && count > 0 ? "ok" : "wrong result");
  return 0;
}
