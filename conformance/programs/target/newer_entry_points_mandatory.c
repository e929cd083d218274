// Kernel arguments of a version that the runtime does not know end the program where no region may be executed on the host. LLVM's libomptarget
//@ compilers: offload
//@ devices: 1
//@ env: OMP_TARGET_OFFLOAD=mandatory
//@ threads: 2
//@ exit: 1
//@ expect-stderr: arguments version 6 mandatory program ends
//@ stock-fails: offload because it takes any version for its own
//@ checker: no because the program ends in the middle of a construct
#include "device.h"
#include "kernel.h"

#pragma omp declare target
DEVICE_CODE void listed(void **list) { DEVICE_NAME(listed); }
#pragma omp end declare target
LISTED_KERNEL(listed)

int main(void) {
    printf("ok\n");
    fflush(stdout);
    kernel_arguments arguments = {.version = 6};
    return 3 + __tgt_target_kernel(0, -1, -1, 0, &listed_id, &arguments);
}
