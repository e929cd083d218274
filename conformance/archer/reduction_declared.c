/* A declared reduction of a structure (OpenMP 5.1 §2.21.5.7), whose combiner is the program's code. Twin: the combiner also counts in a
 * shared variable of all threads. */
#include "archer.h"

typedef struct {
  long sum;
  int least, most;
} range;

static range joined(range a, range b) {
  a.sum += b.sum;
  a.least = a.least < b.least ? a.least : b.least;
  a.most = a.most > b.most ? a.most : b.most;
  return a;
}

#pragma omp declare reduction(join : range : omp_out = joined(omp_out, omp_in)) initializer(omp_priv = (range){0, 1 << 30, -1})

int main(void) {
  range all = {0, 1 << 30, -1};
  int place = 0, turn = 0, steps = 0;
#pragma omp parallel
  {
    meet(&place);
#pragma omp for reduction(join : all)
    for (int i = 0; i < 100; i++) {
      all = joined(all, (range){i, i, i});
#ifdef RACY
      // One after the other: of two accesses in the very same moment the sanitizer may see neither beside the other.
      await_flags(&turn, i);
      steps++;
      raise_flag(&turn);
#endif
    }
  }
  (void)turn;
  (void)steps;
  return verdict(all.sum == 4950 && all.least == 0 && all.most == 99);
}
