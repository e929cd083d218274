/* Many small tasks with private data of several sizes, made by every thread and run by any, in rounds that do not wait for each other: the
 * memory of a finished task soon holds another one (OpenMP 5.1 §2.12.1). Twin: the tasks add without atomic. */
//@ stock-fails: clang because the memory of a finished task serves the next one
#include "archer.h"

typedef struct {
  long word[12];
} large;

int main(void) {
  long sum = 0, expected = 0;
  int place = 0;
#pragma omp parallel
  {
    int me = omp_get_thread_num();
    meet(&place);
    for (int i = 0; i < 200; i++) {
      large data = {{i, me}};
#pragma omp task firstprivate(data) shared(sum)
      {
        data.word[11] = data.word[0];
        if (data.word[0] % 3 == 0)
          sched_yield();
#ifndef RACY
#pragma omp atomic
#endif
        sum += data.word[11];
      }
#pragma omp task firstprivate(i, me) shared(sum)
      {
#pragma omp atomic
        sum += i + 0 * me;
      }
      if (i % 16 == 0) {
#pragma omp taskyield
      }
    }
#pragma omp atomic
    expected += 2 * 199 * 100;
  }
  return verdict(sum == expected);
}
