// Brings threads into each state that a program can bring about, and samples it there as a profiler would: in a signal
// handler on that thread. Each mark holds the state that was seen; `<name>_wait` the wait identifier. A state is sampled
// again for some seconds until it is the expected one, since a thread may still be on its way into it.
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <unistd.h>

#include "journal.h"

static journal_state_function state_of;
static atomic_int sampled;
static uint64_t sampled_wait;
static pthread_t thread[2];
static atomic_int started;

static void sample(int signal) {
  uint64_t wait = 0;
  int state = state_of(&wait);
  sampled_wait = wait;
  atomic_store(&sampled, state);
}

static void expect(const char *name, int of, int expected) {
  for (int round = 0; round < 200; round++) {
    atomic_store(&sampled, -1);
    pthread_kill(thread[of], SIGPROF);
    while (atomic_load(&sampled) == -1)
      usleep(100);
    if (atomic_load(&sampled) == expected)
      break;
    usleep(10000);
  }
  journal_mark(name, atomic_load(&sampled));
}

static void expect_waiting(const char *name, const char *wait_name, int of, int expected) {
  expect(name, of, expected);
  journal_mark(wait_name, sampled_wait);
}

int main(void) {
  state_of = journal_state();
  if (!state_of)
    return 0;
  struct sigaction action = {.sa_handler = sample};
  sigaction(SIGPROF, &action, 0);
  omp_lock_t lock;
  omp_init_lock(&lock);
  omp_nest_lock_t nest_lock;
  omp_init_nest_lock(&nest_lock);
  // clang has no other name for them.
  void (*atomic_start)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "GOMP_atomic_start");
  void (*atomic_end)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "GOMP_atomic_end");
  thread[0] = pthread_self();
  expect("serial", 0, 0x0);

#pragma omp parallel num_threads(2)
  {
    int me = omp_get_thread_num();
    thread[me] = pthread_self();
#pragma omp barrier
    if (me == 0) {
      expect("explicit_barrier", 1, 0x14);
      expect("working", 0, 0x1);
    }
#pragma omp barrier
    if (me == 0) {
#pragma omp critical(place)
      {
        atomic_store(&started, 1);
        expect_waiting("critical", "critical_wait", 1, 0x42);
      }
    } else {
      while (!atomic_load(&started))
        usleep(100);
#pragma omp critical(place)
      atomic_store(&started, 0);
    }
#pragma omp barrier
    if (me == 0) {
      omp_set_lock(&lock);
      atomic_store(&started, 1);
      expect_waiting("lock", "lock_wait", 1, 0x41);
      omp_unset_lock(&lock);
    } else {
      while (!atomic_load(&started))
        usleep(100);
      omp_set_lock(&lock);
      omp_unset_lock(&lock);
      atomic_store(&started, 0);
    }
#pragma omp barrier
    if (me == 0) {
      omp_set_nest_lock(&nest_lock);
      omp_set_nest_lock(&nest_lock);
      atomic_store(&started, 1);
      expect_waiting("nest_lock", "nest_lock_wait", 1, 0x41);
      omp_unset_nest_lock(&nest_lock);
      omp_unset_nest_lock(&nest_lock);
    } else {
      while (!atomic_load(&started))
        usleep(100);
      omp_set_nest_lock(&nest_lock);
      omp_unset_nest_lock(&nest_lock);
      atomic_store(&started, 0);
    }
#pragma omp barrier
    // What stands around an atomic operation that the processor lacks.
    if (me == 0) {
      atomic_start();
      atomic_store(&started, 1);
      expect_waiting("atomic", "atomic_wait", 1, 0x43);
      atomic_end();
    } else {
      while (!atomic_load(&started))
        usleep(100);
      atomic_start();
      atomic_end();
      atomic_store(&started, 0);
    }
#pragma omp barrier
    // Depends on an iteration of the other thread.
#pragma omp for ordered(1) schedule(static, 1)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered depend(sink : i - 1)
      if (i == 0)
        expect_waiting("doacross", "doacross_wait", 1, 0x44);
#pragma omp ordered depend(source)
    }
#pragma omp for ordered schedule(static, 1)
    for (int i = 0; i < 2; i++) {
#pragma omp ordered
      if (i == 0)
        expect_waiting("ordered", "ordered_wait", 1, 0x44);
    }
    // The other thread finds this task in the barrier.
    if (me == 0) {
#pragma omp task shared(started)
      {
        atomic_store(&started, 1);
        expect("taskwait", 0, 0x20);
      }
      while (!atomic_load(&started))
        usleep(100);
#pragma omp taskwait
      atomic_store(&started, 0);
#pragma omp taskgroup
      {
#pragma omp task shared(started)
        {
          atomic_store(&started, 1);
          expect("taskgroup", 0, 0x21);
        }
        while (!atomic_load(&started))
          usleep(100);
      }
    }
#pragma omp barrier
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 1; i++)
      expect("workshare_barrier", 1 - omp_get_thread_num(), 0x12);
    if (me == 0)
      expect("region_end", 1, 0x11);
  }
  expect("serial_again", 0, 0x0);
  omp_destroy_lock(&lock);
  omp_destroy_nest_lock(&nest_lock);
  return 0;
}
