// A region, then a long serial phase in which the workers have nothing to do, then another region. Marks `serial` and
// `serial_over` enclose the phase; `idle` marks hold each worker's state in the middle of it.
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "journal.h"

static journal_state_function state_of;
static atomic_int sampled;
static volatile int sink;
static void sample(int signal) { atomic_store(&sampled, state_of(0)); }

int main(void) {
  pthread_t thread[64];
  int size = 0;
  state_of = journal_state();
  if (!state_of)
    return 0;
  struct sigaction action = {.sa_handler = sample};
  sigaction(SIGUSR1, &action, 0);
#pragma omp parallel
  {
    thread[omp_get_thread_num()] = pthread_self();
#pragma omp single
    size = omp_get_num_threads();
  }
  journal_mark("serial", 0);
  for (int worker = 1; worker < size; worker++) {
    int state = -1;
    for (int round = 0; round < 100 && state != 0x100; round++) {
      usleep(20000);
      atomic_store(&sampled, -1);
      pthread_kill(thread[worker], SIGUSR1);
      while (atomic_load(&sampled) == -1)
        usleep(100);
      state = atomic_load(&sampled);
    }
    journal_mark("idle", state);
  }
  journal_mark("serial_over", 0);
#pragma omp parallel
  sink = 1;
  return 0;
}
