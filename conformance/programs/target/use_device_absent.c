// use_device_ptr of a pointer to what is not there keeps its value. OpenMP 5.1, 2.14.2
//@ devices: 1 3
//@ stock-fails: offload because it makes NULL of the pointer
#include "device.h"

int main(void) {
    int x = 1, y = 2;
    int *p = &x, *null = NULL;
#pragma omp target data map(to : y) use_device_ptr(p, null)
    {
        CHECK(p == &x, "the pointer has changed");
        CHECK(null == NULL, "NULL has changed");
    }
    CHECK_EQ(x + y, 3);
    return verdict();
}
