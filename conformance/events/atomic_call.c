// Updates for which the program calls the runtime, though the processor has an instruction for them, as programs of icx do: atomic
// regions like others, known by their variables (2.19.7).
//@ threads: 1
#include "events.h"

extern void __kmpc_atomic_fixed4_add(void *place, int thread, int *variable, int value) __attribute__((weak));
extern int __kmpc_atomic_fixed4_rd(void *place, int thread, int *variable) __attribute__((weak));

static int count, read;

int main(void) {
#pragma omp parallel
  {
    __kmpc_atomic_fixed4_add(0, 0, &count, 1);
    read = __kmpc_atomic_fixed4_rd(0, 0, &count);
  }
  return read != 1;
}
