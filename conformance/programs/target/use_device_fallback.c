// use_device_ptr of what is not mapped gives null or the pointer, as its modifier says. OpenMP 6.1
//@ devices: 1 3
//@ flags: -fopenmp-version=61
//@ needs: offload 23, clang 23
//@ cannot: gcc because it does not know the modifier
#include "device.h"

int main(void) {
    int x = 1, *p = &x, y[4] = {1, 2, 3, 4}, *q = y;
#pragma omp target data map(to : y) use_device_ptr(fb_nullify : p, q)
    {
        CHECK(separate() ? p == NULL : p == &x, "what is not mapped");
        CHECK(separate() ? q != y && q != NULL : q == y, "what is mapped");
    }
    CHECK(p == &x && q == y, "afterwards");
#pragma omp target data use_device_ptr(fb_preserve : p)
    CHECK(p == &x, "preserved");
    return verdict();
}
