// requires reverse_offload: no device here has it, so there is none for the program; target regions run on the host, where regions with
// device(ancestor: 1) belong, and a line says so. OpenMP 5.1, 2.5.1, 2.14.5
//@ compilers: offload
//@ devices: 1 3
//@ flags: -fopenmp-version=99
//@ expect-stderr: ferromp reverse_offload host
//@ stock-fails: offload because it runs ancestor regions on the device
#include "device.h"
#include <stdint.h>
#pragma omp requires reverse_offload

// Clang 19 keeps the directive to itself; what earlier ones say of it to the runtime, the program says here.
extern void __tgt_register_requires(int64_t flags);
__attribute__((constructor)) static void say(void) { __tgt_register_requires(2); }

#pragma omp declare target
void back(int *there);
void back(int *there) {
#pragma omp target device(ancestor : 1) map(from : there[0 : 1])
    *there = omp_is_initial_device();
}
#pragma omp end declare target

int main(void) {
    CHECK_EQ(omp_get_num_devices(), 0);
    int there = 0, where = 0, times = 0;
    back(&there);
    CHECK_EQ(there, 1);
    there = 0;
#pragma omp target map(tofrom : there, where)
    {
        where = omp_is_initial_device();
        back(&there);
    }
    CHECK_EQ(where, 1);
    CHECK_EQ(there, 1);
#pragma omp target nowait map(tofrom : times)
    times++;
#pragma omp taskwait
    CHECK_EQ(times, 1);
    return verdict();
}
