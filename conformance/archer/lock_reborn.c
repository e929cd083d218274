/* Locks that are destroyed and initialised again at the same place (OpenMP 5.1 §3.9.1, §3.9.2), between regions. Twin: in the last
 * region a thread takes another lock than the rest, and holds it while they have theirs. */
#include "archer.h"

int main(void) {
  omp_lock_t lock, other;
  int counter = 0, right = 1;
  omp_init_lock(&other);
  for (int round = 0; round < 4; round++) {
    int place = 0, threads = 0, before = counter;
#ifdef RACY
    int inside = 0, done = 0;
#endif
    omp_init_lock(&lock);
#pragma omp parallel
    {
      omp_lock_t *mine = &lock;
      meet(&place);
#ifdef RACY
      if (round == 3 && omp_get_thread_num() == 0)
        mine = &other;
      else if (round == 3)
        await_flag(&inside);
#endif
      omp_set_lock(mine);
      threads = omp_get_num_threads();
      counter++;
#ifdef RACY
      if (mine == &other) {
        raise_flag(&inside);
        await_flag(&done);
      }
#endif
      omp_unset_lock(mine);
#ifdef RACY
      raise_flag(&done);
#endif
    }
    omp_destroy_lock(&lock);
    right = right && counter == before + threads;
  }
  omp_destroy_lock(&other);
  return verdict(right);
}
