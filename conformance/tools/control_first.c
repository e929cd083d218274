// omp_control_tool is the first OpenMP call of this program; it prints the answer. Then a region runs, and a second call.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>

int main(void) {
  // gcc 12's libgomp has no such routine to link with.
  int (*control_tool)(int, int, void *) = (int (*)(int, int, void *))dlsym(RTLD_DEFAULT, "omp_control_tool");
  if (!control_tool)
    return 3;
  printf("first %d\n", control_tool(1, 17, NULL));
#pragma omp parallel
  {
#pragma omp single
    printf("inside %d\n", control_tool(3, 18, NULL));
  }
  printf("last %d\n", control_tool(4, 19, NULL));
  return 0;
}
