// Three parallel regions of ordinary work; prints the sum 300. Defining LINKED links the tool `candidate.c` into it.
#include <stdio.h>
#ifdef LINKED
#include "candidate.c"
#endif

int main(void) {
  int sum = 0;
  for (int round = 0; round < 3; round++) {
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < 100; i++)
      sum += 1;
  }
  printf("sum %d\n", sum);
  return 0;
}
