// Kernel arguments of a version, or with flags, that the runtime does not know are refused, with one line for all, and the program executes the
// region itself. LLVM's libomptarget
//@ compilers: offload
//@ devices: 1 3
//@ expect-stderr: arguments version 6 known the host executes it
//@ stock-fails: offload because it takes any version for its own
#include "device.h"
#include "kernel.h"

#pragma omp declare target
DEVICE_CODE void listed(void **list) {
    DEVICE_NAME(listed);
    **(int ***)list[0] = 0;
}
#pragma omp end declare target
LISTED_KERNEL(listed)

int main(void) {
    (void)omp_get_num_devices();
    kernel_arguments arguments = {.version = 6};
    CHECK(__tgt_target_kernel(0, -1, -1, 0, &listed_id, &arguments) != 0, "version 6");
    arguments.version = 4;
    CHECK(__tgt_target_kernel(0, -1, 1, 0, &listed_id, &arguments) != 0, "version 4");
    arguments.version = 5;
    arguments.flags = 0x20;
    CHECK(__tgt_target_kernel(0, -1, 1, 0, &listed_id, &arguments) != 0, "flags");
    int x = 0;
#pragma omp target map(tofrom : x)
    x = omp_is_initial_device() ? 1 : 2;
    CHECK_EQ(x, 2);
    return verdict();
}
