// What the tools of each header version look at: loops, a task, a taskwait, barriers, an error directive, and a target region whose
// variable is mapped with modifiers.
#include <stdio.h>

// gcc knows no present before release 13.
#ifdef __clang__
#define MODIFIERS always, present, close
#else
#define MODIFIERS always, close
#endif

int main(void) {
  int sum = 0, data[8] = {1};
#pragma omp parallel num_threads(2) reduction(+ : sum)
  {
#pragma omp for schedule(static, 2)
    for (int i = 0; i < 8; i++)
      sum += i;
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 8; i++)
      sum += i;
#pragma omp master
    {
#pragma omp task depend(out : data)
      data[1] = 2;
#pragma omp taskwait
    }
#pragma omp barrier
  }
#pragma omp error at(execution) severity(warning) message("the program warns")
#pragma omp target data map(tofrom : data)
  {
#pragma omp target map(MODIFIERS, tofrom : data)
    data[0]++;
  }
  printf("%d\n", sum);
  return !(sum == 56 && data[0] == 2 && data[1] == 2);
}
