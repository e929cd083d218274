// What clang makes of launches in CUDA and HIP programs for LLVM's offload runtime: the configuration of a launch is the thread's, and kernels need
// a library of LLVM's own.
//@ compilers: offload
//@ devices: 1
//@ expect-stderr: llvmLaunchKernel LLVM's own not executed
//@ stock-fails: offload because libomptarget 19 has none of this
#include "device.h"

typedef struct {
    unsigned x, y, z;
} dim3;
#define WEAK __attribute__((weak))
WEAK unsigned __llvmPushCallConfiguration(dim3, dim3, size_t, void *);
WEAK unsigned __llvmPopCallConfiguration(dim3 *, dim3 *, size_t *, void *);
WEAK unsigned llvmLaunchKernel(const void *, dim3, dim3, void *, size_t, void *);

int main(void) {
    int failed = 0;
#pragma omp parallel num_threads(3) reduction(+ : failed)
    {
        unsigned me = omp_get_thread_num() + 1;
        __llvmPushCallConfiguration((dim3){me, 2, 3}, (dim3){4, 5, 6 * me}, 7 * me, &failed);
#pragma omp barrier
        dim3 grid, block;
        size_t memory;
        void *stream;
        failed += __llvmPopCallConfiguration(&grid, &block, &memory, &stream) != 0;
        failed += grid.x != me || grid.y != 2 || grid.z != 3 || block.x != 4 || block.y != 5 || block.z != 6 * me;
        failed += memory != 7 * me || stream != &failed;
    }
    CHECK_EQ(failed, 0);
    CHECK(llvmLaunchKernel(&failed, (dim3){1, 1, 1}, (dim3){1, 1, 1}, 0, 0, 0) != 0, "no such kernel");
    return verdict();
}
