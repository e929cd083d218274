// Every construct that sends events, in one region: what one thread reports here has to be what many report.
#include <omp.h>

static volatile int sink;
static omp_lock_t lock;
static omp_nest_lock_t nest;

int main(void) {
  int sum = 0;
  omp_init_lock(&lock);
  omp_init_nest_lock(&nest);
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 16; i++)
      sink = i;
#pragma omp for schedule(guided) reduction(+ : sum)
    for (int i = 0; i < 16; i++)
      sum += i;
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 16; i++) {
#pragma omp ordered
      sink = i;
    }
#pragma omp sections
    {
#pragma omp section
      sink = 1;
#pragma omp section
      sink = 2;
    }
#pragma omp single
    {
      for (int i = 0; i < 4; i++) {
#pragma omp task
        sink = i;
      }
#pragma omp taskwait
#pragma omp taskgroup
      {
#pragma omp task
        sink = 3;
      }
#pragma omp taskloop
      for (int i = 0; i < 4; i++)
        sink = i;
    }
#pragma omp critical
    sink = 5;
    omp_set_lock(&lock);
    omp_unset_lock(&lock);
    omp_set_nest_lock(&nest);
    omp_set_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
    omp_unset_nest_lock(&nest);
#pragma omp barrier
  }
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest);
  return 0;
}
