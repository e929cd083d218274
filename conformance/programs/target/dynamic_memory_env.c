// LIBOMPTARGET_SHARED_MEMORY_SIZE gives each team of every kernel so much memory of its own, a clause may ask for more. LLVM's extension.
//@ compilers: offload
//@ devices: 1 3
//@ env: LIBOMPTARGET_SHARED_MEMORY_SIZE=256
//@ stock-fails: offload because its host device gives no such memory
#include "device.h"

extern void *llvm_omp_target_dynamic_shared_alloc(void);

int main(void) {
    for (int d = 0; d < omp_get_num_devices(); d++) {
        int sum = 0;
#pragma omp target device(d) map(from : sum)
        {
            unsigned char *memory = llvm_omp_target_dynamic_shared_alloc();
            sum = 0;
            if (memory != NULL) {
                for (int i = 0; i < 256; i++) memory[i] = 1;
                for (int i = 0; i < 256; i++) sum += memory[i];
            }
        }
        CHECK_EQ(sum, 256);
#pragma omp target device(d) map(from : sum) ompx_dyn_cgroup_mem(1000)
        {
            unsigned char *memory = llvm_omp_target_dynamic_shared_alloc();
            sum = 0;
            if (memory != NULL) {
                for (int i = 0; i < 1000; i++) memory[i] = 1;
                for (int i = 0; i < 1000; i++) sum += memory[i];
            }
        }
        CHECK_EQ(sum, 1000);
    }
    return verdict();
}
