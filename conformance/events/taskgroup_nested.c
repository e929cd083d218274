// A taskgroup inside a task of a taskgroup (2.19.6). One thread.
//@ threads: 1
#include "events.h"

int main(void) {
#pragma omp parallel
  {
#pragma omp taskgroup // the outer one
    {
#pragma omp task
      {
#pragma omp taskgroup // the inner one
        {
#pragma omp task // the inner one
          work();
        }
      }
    }
  }
  return 0;
}
