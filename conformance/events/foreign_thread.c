// A thread that the program made itself opens a region, before the first thread does: each is an initial thread (2.6, 4.5.2.1).
//@ threads: 1
#include "events.h"

#include <pthread.h>

static void *other(void *nothing) {
#pragma omp parallel
  work();
  return nothing;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, 0, other, 0);
  pthread_join(thread, 0);
#pragma omp parallel // of the first thread
  work();
  return 0;
}
