/* copyprivate (OpenMP 5.1 §2.21.6.2): the other threads have the values after the construct, and may change them. Twin: a shared variable
 * instead of one of the private ones, without a barrier. */
#include "archer.h"

typedef struct {
  double field[8];
} block;

int main(void) {
  int wrong = 0;
#ifdef RACY
  int shared = 0;
#endif
#pragma omp parallel
  {
    for (int round = 0; round < 4; round++) {
      block mine = {{0}};
      int number = 0;
#pragma omp single copyprivate(mine, number)
      {
        number = round;
        for (int i = 0; i < 8; i++)
          mine.field[i] = round + i;
      }
      for (int i = 0; i < 8; i++)
        if (mine.field[i] != number + i) {
#pragma omp atomic
          wrong++;
        }
      mine.field[0] = omp_get_thread_num();
#ifdef RACY
      shared += (int)mine.field[0];
#endif
    }
  }
#ifdef RACY
  wrong += shared;
#endif
  return verdict(wrong == 0);
}
