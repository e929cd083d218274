// A program that ends while data is mapped on its devices, and device memory was never given back.
//@ devices: 1 3
//@ stock-fails: clang because libomptarget crashes in a program without device code
#include "device.h"

static int global[1000];

int main(void) {
    int *left = malloc(4000);
    FILL(left, 1000, 1);
    for (int d = 0; d < omp_get_num_devices(); d++) {
#pragma omp target enter data map(to : left[0 : 1000]) device(d)
#pragma omp target enter data map(to : global) device(d)
        int *memory = omp_target_alloc(5000, d);
        CHECK(memory != NULL, "no memory");
    }
    int x = 0;
#pragma omp target nowait map(tofrom : x)
    x = 1;
#pragma omp taskwait
    CHECK_EQ(x, 1);
    return verdict();
}
