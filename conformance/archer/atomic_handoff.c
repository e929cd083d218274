/* A value is handed over by an atomic write with release and an atomic read with acquire semantics (OpenMP 5.1 §2.19.7). Twin: both
 * are relaxed. */
#include "archer.h"

#ifndef RACY
#define WRITE _Pragma("omp atomic write release")
#define READ _Pragma("omp atomic read acquire")
#else
#define WRITE _Pragma("omp atomic write relaxed")
#define READ _Pragma("omp atomic read relaxed")
#endif

int main(void) {
  int value = 0, told = 0, seen = 0, place = 0;
#pragma omp parallel
  {
    meet(&place);
    if (omp_get_thread_num() == 0) {
      value = 42;
      WRITE
      told = 1;
    } else if (omp_get_thread_num() == 1) {
      int known = 0;
      while (!known) {
        READ
        known = told;
        sched_yield();
      }
      seen = value;
    }
  }
  return verdict(seen == 42);
}
