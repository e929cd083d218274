// A sampling profiler: a timer's signal asks, on whichever thread it interrupts, for everything that may be asked for in a
// handler, while regions, nested regions, tasks and locks come and go. Marks: how many samples, how many made no sense.
#include <omp.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/time.h>

#include "journal.h"

static journal_probe_function probe;
static atomic_int samples, nonsense;
static volatile int sink;

static void sample(int signal) {
  atomic_fetch_add(&samples, 1);
  if (!probe())
    atomic_fetch_add(&nonsense, 1);
}

static void work(int amount) {
  for (int i = 0; i < amount; i++)
    sink = i;
}

static void round_of_everything(void) {
#pragma omp parallel
  {
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 16; i++)
      work(100);
#pragma omp single
    for (int i = 0; i < 16; i++) {
#pragma omp task
      {
#pragma omp task
        work(50);
        work(100);
#pragma omp taskwait
      }
    }
#pragma omp critical
    work(50);
#pragma omp parallel num_threads(2)
    work(50);
  }
}

int main(void) {
  probe = journal_probe();
  if (!probe)
    return 0;
  omp_set_max_active_levels(2);
  struct sigaction action = {.sa_handler = sample, .sa_flags = SA_RESTART};
  sigaction(SIGPROF, &action, 0);
  struct itimerval often = {{0, 1000}, {0, 1000}}, never = {{0, 0}, {0, 0}};
  setitimer(ITIMER_PROF, &often, 0);
  double until = omp_get_wtime() + 20;
  for (int round = 0; round < 40 || (atomic_load(&samples) < 10 && omp_get_wtime() < until); round++)
    round_of_everything();
  setitimer(ITIMER_PROF, &never, 0);
  journal_mark("samples", atomic_load(&samples));
  journal_mark("nonsense", atomic_load(&nonsense));
  return 0;
}
