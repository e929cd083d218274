// What the tools that sample have in common: the entry points, a timer for each of OpenMP's threads that sends it SIGPROF
// SAMPLING_HZ times a second (10000 without the variable), how often something went wrong and where first, and a report in the
// file that SAMPLING_OUT names.
#define _GNU_SOURCE
#include <errno.h>
#include <omp-tools.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#ifndef sigev_notify_thread_id
#define sigev_notify_thread_id _sigev_un._tid
#endif

enum { FAULTS = 64 };

// What went wrong: its line in the tool's source, how often, and three numbers of the first time.
static struct {
  const char *what;
  atomic_ulong times;
  long a, b, c;
} faults[FAULTS];
static atomic_ulong samples;
static atomic_int silent;

static ompt_set_callback_t set_callback;
static ompt_get_callback_t get_callback;
static ompt_get_thread_data_t get_thread_data;
static ompt_get_state_t get_state;
static ompt_get_parallel_info_t get_parallel_info;
static ompt_get_task_info_t get_task_info;

// Async-signal-safe. A fault is told by its text.
static void fault(const char *what, long a, long b, long c) {
  for (int i = 0; i < FAULTS; i++) {
    if (!faults[i].what) {
      const char *none = NULL;
      if (__atomic_compare_exchange_n(&faults[i].what, &none, what, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        faults[i].a = a;
        faults[i].b = b;
        faults[i].c = c;
      }
    }
    if (faults[i].what == what) {
      atomic_fetch_add(&faults[i].times, 1);
      return;
    }
  }
}

// Whether the tool has been ended, which its finaliser may not know yet.
static int is_over(void) {
  ompt_callback_t unused;
  return !get_callback(ompt_callback_thread_begin, &unused);
}

#define CHECK(condition, a, b, c)                                                                                              \
  do {                                                                                                                         \
    if (!(condition) && !is_over())                                                                                            \
      fault(#condition, (long)(a), (long)(b), (long)(c));                                                                      \
  } while (0)

// A thread's own variables of a tool that asks in signal handlers: any other way to find them may allocate.
#define OWN static _Thread_local __attribute__((tls_model("initial-exec")))

OWN timer_t timer;
OWN volatile int has_timer;
OWN volatile int in_callback;

static void start_timer(void) {
  const char *rate = getenv("SAMPLING_HZ");
  long hertz = rate ? atol(rate) : 10000;
  if (hertz <= 0)
    return;
  struct sigevent event = {.sigev_notify = SIGEV_THREAD_ID, .sigev_signo = SIGPROF};
  event.sigev_notify_thread_id = syscall(SYS_gettid);
  if (timer_create(CLOCK_MONOTONIC, &event, &timer))
    return;
  has_timer = 1;
  struct timespec step = {hertz == 1, hertz == 1 ? 0 : 1000000000 / hertz};
  struct itimerspec often = {step, step};
  timer_settime(timer, 0, &often, NULL);
}

static void stop_timer(void) {
  if (has_timer)
    timer_delete(timer);
  has_timer = 0;
}

static void take_sample(void);

static void on_signal(int signal) {
  int saved = errno;
  if (!atomic_load(&silent) && !in_callback) {
    atomic_fetch_add(&samples, 1);
    take_sample();
  }
  errno = saved;
}

static void sampling_begin(ompt_function_lookup_t lookup) {
  set_callback = (ompt_set_callback_t)lookup("ompt_set_callback");
  get_callback = (ompt_get_callback_t)lookup("ompt_get_callback");
  get_thread_data = (ompt_get_thread_data_t)lookup("ompt_get_thread_data");
  get_state = (ompt_get_state_t)lookup("ompt_get_state");
  get_parallel_info = (ompt_get_parallel_info_t)lookup("ompt_get_parallel_info");
  get_task_info = (ompt_get_task_info_t)lookup("ompt_get_task_info");
  struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
  sigaction(SIGPROF, &action, NULL);
}

// The report; a program that forks has one of each process.
static void sampling_end(void) {
  atomic_store(&silent, 1);
  stop_timer();
  const char *path = getenv("SAMPLING_OUT");
  FILE *out = path ? fopen(path, "a") : stderr;
  if (!out)
    return;
  fprintf(out, "samples %lu\n", atomic_load(&samples));
  for (int i = 0; i < FAULTS && faults[i].what; i++)
    fprintf(out, "fault %lu times, first (%ld, %ld, %ld): %s\n", atomic_load(&faults[i].times), faults[i].a, faults[i].b,
            faults[i].c, faults[i].what);
  if (path)
    fclose(out);
}
