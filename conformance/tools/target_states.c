// Long operations on a device, while a signal handler on the thread that waits for them asks for its state: marks count how often each
// state was found.
#include <omp.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "journal.h"

enum { BYTES = 64 << 20, STATES = 0x200, ENOUGH = 3, ROUNDS = 60 };

static journal_state_function state;
static atomic_int found[STATES];

static void on_signal(int number) {
  uint64_t wait = 0;
  int now = state(&wait);
  if (now >= 0 && now < STATES)
    atomic_fetch_add(&found[now], 1);
}

static void forget(void) { memset(found, 0, sizeof found); }

// What was found while something was going on: whatever came often enough, however the rest is spread.
static void tell(const char *name) {
  for (int number = 0x80; number <= 0x82; number++) {
    char text[40];
    snprintf(text, sizeof text, "%s_%x", name, number);
    journal_mark(text, atomic_load(&found[number]) >= ENOUGH);
  }
  forget();
}

int main(void) {
  int host = omp_get_initial_device();
  char *data = malloc(BYTES);
  memset(data, 1, BYTES);
  state = journal_state();
  if (!state || omp_get_num_devices() == 0)
    return 0;
  signal(SIGPROF, on_signal);
  struct itimerval often = {{0, 1000}, {0, 1000}};
  setitimer(ITIMER_PROF, &often, NULL);
  double spent = 0;
#pragma omp target map(tofrom : spent)
  for (double begin = omp_get_wtime(); spent < 0.3; spent = omp_get_wtime() - begin)
    ;
  tell("region");
#pragma omp target enter data map(alloc : data[0 : BYTES])
  forget();
  for (int round = 0; round < ROUNDS && atomic_load(&found[0x82]) < ENOUGH; round++) {
#pragma omp target update to(data[0 : BYTES])
  }
  tell("update");
#pragma omp target exit data map(delete : data[0 : BYTES])
  forget();
  for (int round = 0; round < ROUNDS && atomic_load(&found[0x81]) < ENOUGH; round++) {
#pragma omp target enter data map(to : data[0 : BYTES])
#pragma omp target exit data map(delete : data[0 : BYTES])
  }
  tell("data");
  often = (struct itimerval){0};
  setitimer(ITIMER_PROF, &often, NULL);
  journal_mark("end", host);
  return 0;
}
