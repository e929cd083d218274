// Regions, nested regions, loops and tasks of many kinds, with a number of regions and tasks that the argument multiplies; between
// them the control command in CONTROL, of which the answer is printed. With GROWTH set it prints by how many KiB the memory in
// use has grown between the middle and the end.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

// gcc 12's libgomp has no such routine to link with.
static int control_tool(int command) {
  int (*routine)(int, int, void *) = (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
  return routine ? routine(command, 0, NULL) : -3;
}

static int sink;

static long resident(void) {
  long pages = 0;
  FILE *file = fopen("/proc/self/statm", "r");
  if (!file || fscanf(file, "%*d %ld", &pages) != 1) abort();
  fclose(file);
  return pages * 4;
}

static void tasks(int count) {
  for (int i = 0; i < count; i++) {
#pragma omp task
#pragma omp atomic
    sink++;
  }
#pragma omp taskwait
#pragma omp taskgroup
  {
#pragma omp task final(1)
    {
#pragma omp task
#pragma omp atomic
      sink++;
    }
#pragma omp task if (0)
#pragma omp atomic
    sink++;
#pragma omp task untied
    {
#pragma omp taskyield
#pragma omp atomic
      sink++;
    }
  }
#pragma omp taskloop grainsize(2)
  for (int i = 0; i < 8; i++) {
#pragma omp atomic
    sink++;
  }
}

int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 3;
  const char *control = getenv("CONTROL");
  long middle = 0;
  omp_set_max_active_levels(2);
  for (int round = 0; round < rounds; round++) {
#pragma omp parallel
    {
#pragma omp for schedule(dynamic)
      for (int i = 0; i < 20; i++) {
#pragma omp atomic
        sink += i;
      }
#pragma omp single
      tasks(20);
#pragma omp parallel num_threads(2)
#pragma omp single nowait
      tasks(2);
    }
    if (round == rounds / 2) middle = resident();
    if (round == 1 && control) printf("control %d\n", control_tool(atoi(control)));
  }
  if (getenv("GROWTH")) printf("grown %ld\n", resident() - middle);
  printf("done %d\n", sink > 0);
  return 0;
}
