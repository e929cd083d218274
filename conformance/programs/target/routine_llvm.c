// LLVM's own routines: memory of the host and memory that host and device share, and the dump of the mapping tables.
//@ devices: 1 3
//@ cannot: gcc because libgomp has no such routines
//@ stock-fails: clang because libomptarget crashes in a program without device code
//@ stderr-may-hold-more:
#include "device.h"

extern void *llvm_omp_target_alloc_device(size_t bytes, int device);
extern void *llvm_omp_target_alloc_host(size_t bytes, int device);
extern void *llvm_omp_target_alloc_shared(size_t bytes, int device);
extern void llvm_omp_target_free_device(void *pointer, int device);
extern void llvm_omp_target_free_host(void *pointer, int device);
extern void llvm_omp_target_free_shared(void *pointer, int device);

int main(void) {
    for (int d = 0; d < omp_get_num_devices(); d++) {
        int *own = llvm_omp_target_alloc_device(40, d), *host = llvm_omp_target_alloc_host(40, d);
        int *shared = llvm_omp_target_alloc_shared(40, d);
        CHECK(own && host && shared, "no memory");
        FILL(host, 10, 1);
        FILL(shared, 10, 2);
        int sum = 0;
#pragma omp target is_device_ptr(own, shared) device(d) map(from : sum)
        {
            sum = 0;
            for (int i = 0; i < 10; i++) {
                own[i] = i;
                sum += own[i] + shared[i];
                shared[i] = 5;
            }
        }
        CHECK_EQ(sum, 65);
        CHECK_EQ(shared[9], 5);
        CHECK_EQ(host[9], 1);
        llvm_omp_target_free_device(own, d);
        llvm_omp_target_free_host(host, d);
        llvm_omp_target_free_shared(shared, d);
    }
    return verdict();
}
