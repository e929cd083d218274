// A plain pthread: first it is none of OpenMP's threads, then it runs a region, then it ends, all while the initial thread
// waits for it.
#include <omp.h>
#include <pthread.h>

#include "journal.h"

// A function of its own: clang calls the runtime at the begin of each function that holds a region.
__attribute__((noinline)) static void region(void) {
#pragma omp parallel num_threads(2)
  {
#pragma omp barrier
  }
}

static void *visit(void *unused) {
  journal_ancestors("stranger");
  region();
  journal_ancestors("guest");
  return unused;
}

int main(void) {
  region();
  pthread_t thread;
  pthread_create(&thread, 0, visit, 0);
  pthread_join(thread, 0);
  journal_mark("joined", 0);
  return 0;
}
