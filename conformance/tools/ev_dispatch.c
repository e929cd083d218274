// Loops of many kinds, each in a region of its own between marks of the initial thread. Every iteration marks its number,
// counted from 0, under the name of the loop, so that chunks can be compared with what was executed.
#include <omp.h>

#include "journal.h"

#define IN(name) journal_mark("before_" name, 0)
#define OUT(name) journal_mark("after_" name, 0)

static volatile int sink;

static void loops(void) {
  IN("dynamic");
#pragma omp parallel for schedule(dynamic, 3)
  for (int i = 0; i < 20; i++)
    journal_mark("dynamic", i);
  OUT("dynamic");

  IN("monotonic");
#pragma omp parallel for schedule(monotonic : dynamic, 2)
  for (long i = 5; i < 45; i += 2)
    journal_mark("monotonic", (i - 5) / 2);
  OUT("monotonic");

  IN("down");
#pragma omp parallel for schedule(dynamic, 4)
  for (int i = 50; i > 0; i -= 3)
    journal_mark("down", (50 - i) / 3);
  OUT("down");

  IN("guided");
#pragma omp parallel
#pragma omp for schedule(guided, 2)
  for (unsigned long i = 3; i < 43; i++)
    journal_mark("guided", i - 3);
  OUT("guided");

  IN("large");
#pragma omp parallel
#pragma omp for schedule(dynamic, 5)
  for (unsigned long long i = ~0ull - 30; i < ~0ull; i++)
    journal_mark("large", i - (~0ull - 30));
  OUT("large");

  IN("runtime");
#pragma omp parallel for schedule(runtime)
  for (int i = 0; i < 30; i++)
    journal_mark("runtime", i);
  OUT("runtime");

  IN("collapsed");
#pragma omp parallel for schedule(dynamic, 2) collapse(2)
  for (int i = 0; i < 5; i++)
    for (int j = 1; j < 13; j += 3)
      journal_mark("collapsed", i * 4 + (j - 1) / 3);
  OUT("collapsed");

  IN("ordered");
#pragma omp parallel for schedule(dynamic, 3) ordered
  for (int i = 0; i < 16; i++) {
    journal_mark("ordered", i);
#pragma omp ordered
    sink = i;
  }
  OUT("ordered");

  IN("ordered_static");
#pragma omp parallel for schedule(static, 2) ordered
  for (int i = 0; i < 17; i++) {
    journal_mark("ordered_static", i);
#pragma omp ordered
    sink = i;
  }
  OUT("ordered_static");

  int none = omp_get_level();
  IN("empty");
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < none; i++)
    journal_mark("empty", i);
  OUT("empty");
}

static void fixed(void) {
  IN("static");
#pragma omp parallel for schedule(static)
  for (int i = 7; i < 40; i++)
    journal_mark("static", i - 7);
  OUT("static");

  IN("chunked");
#pragma omp parallel for schedule(static, 3)
  for (int i = 0; i < 60; i++)
    journal_mark("chunked", i);
  OUT("chunked");

  IN("auto");
#pragma omp parallel for schedule(auto)
  for (int i = 0; i < 25; i++)
    journal_mark("auto", i);
  OUT("auto");
}

static void league(void) {
  IN("distribute");
#pragma omp teams num_teams(2) thread_limit(2)
#pragma omp distribute
  for (int i = 0; i < 12; i++)
    journal_mark("distribute", i);
  OUT("distribute");

  IN("composite");
#pragma omp teams distribute parallel for num_teams(2) num_threads(2) schedule(dynamic, 2)
  for (int i = 0; i < 24; i++)
    journal_mark("composite", i);
  OUT("composite");
}

int main(void) {
  omp_set_schedule(omp_sched_guided, 2);
  loops();
  fixed();
  league();
  return 0;
}
