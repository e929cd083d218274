// Every construct once, each on a line with a tag that the test compares with the code address of its event.
#include <omp.h>

static volatile int sink;

int main(void) {
  omp_lock_t lock;
  omp_init_lock(&lock); // init
#pragma omp parallel num_threads(2) // parallel
  {
#pragma omp for schedule(dynamic) // for
    for (int i = 0; i < 8; i++)
      sink = i;
#pragma omp single // single
    {
#pragma omp task // task
      sink = 1;
#pragma omp taskwait // taskwait
      sink = 2;
#pragma omp taskgroup // taskgroup
      {
        sink = 3;
      }
#pragma omp taskloop // taskloop
      for (int i = 0; i < 4; i++)
        sink = i;
#pragma omp critical(name) // critical
      sink = 4;
      omp_set_lock(&lock); // set
      sink = 5;
      omp_unset_lock(&lock); // unset
      sink = 6;
    }
    sink = 7;
#pragma omp barrier // barrier
    sink = 8;
  }
  omp_destroy_lock(&lock); // destroy
  return sink != 8;
}
