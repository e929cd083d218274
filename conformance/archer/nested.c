/* Regions in regions (OpenMP 5.1 §2.6): the inner threads' writes are read after the inner region by the thread that forked it, and after
 * a barrier of the outer region by the rest. Twin: without that barrier. */
//@ stock-fails: clang because the end of a nested region is not always ordered after its threads
#include "archer.h"

int main(void) {
  static int written[64][2];
  int wrong = 0, place = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel
  {
    int outer = omp_get_thread_num(), n = omp_get_num_threads();
    for (int round = 0; round < 3; round++) {
      int inner = 0;
#pragma omp parallel num_threads(2) reduction(+ : inner)
      {
        written[outer][omp_get_thread_num()] = round;
        inner += 1;
      }
      int mine = 0;
      for (int i = 0; i < inner; i++)
        mine += written[outer][i] == round;
      if (mine != inner) {
#pragma omp atomic
        wrong++;
      }
    }
#ifndef RACY
#pragma omp barrier
#endif
    meet(&place);
    int next = (outer + 1) % n;
    if (written[next][0] != 2) {
#pragma omp atomic
      wrong++;
    }
  }
  return verdict(wrong == 0);
}
