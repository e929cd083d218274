// Follows the chain of frame pointers, as `perf record -g` does, from outlined functions and tasks: on the primary thread it leads
// to main, on a worker to the C library's beginning of a thread. Compiled with frame pointers.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <omp.h>
#include <stdio.h>
#include <string.h>

static int failures;

__attribute__((noinline)) static void follow(const char *from) {
  void **frame = __builtin_frame_address(0);
  char names[2000] = "";
  int reached_main = 0, runtime = 0, libc = 0;
  for (int depth = 0; depth < 100; depth++) {
    Dl_info info = {0};
    dladdr(frame[1], &info);
    const char *file = info.dli_fname ? info.dli_fname : "?", *name = info.dli_sname ? info.dli_sname : "?";
    snprintf(names + strlen(names), sizeof names - strlen(names), " < %s", name);
    reached_main |= strcmp(name, "main") == 0;
    runtime += strstr(file, "libferromp") || strstr(file, "libomp") || strstr(file, "libgomp");
    libc = strstr(file, "libc.so") != NULL;
    void **next = frame[0];
    if (reached_main || libc || next <= frame || next > frame + (1 << 20)) break;
    frame = next;
  }
  if (runtime < 1 || !(reached_main || libc)) {
    printf("%s:%s\n", from, names);
    __atomic_fetch_add(&failures, 1, __ATOMIC_RELAXED);
  }
}

int main(void) {
  int before = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel
  {
    follow("region");
#pragma omp for schedule(dynamic)
    for (int i = 0; i < 4; i++) follow("loop");
#pragma omp single
    for (int i = 0; i < 8; i++) {
#pragma omp task depend(inout : before)
      follow("task");
#pragma omp task if (i > 8)
      follow("undeferred task");
    }
#pragma omp barrier
#pragma omp parallel num_threads(2)
    follow("nested region");
  }
#pragma omp parallel for schedule(guided)
  for (int i = 0; i < 4; i++) follow("combined loop");
  if (failures == 0) printf("ok\n");
  return failures != 0;
}
