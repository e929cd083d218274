// use_device_ptr: in the region the pointer is the device's; several at once; pointers to the middle. OpenMP 5.1, 2.14.2
//@ devices: 1 3
//@ needs: gcc 10
#include "device.h"

int main(void) {
    int a[30], b[30];
    int *p = a, *q = b, *middle = a + 10;
    FILL(a, 30, 1);
    FILL(b, 30, 2);
#pragma omp target data map(tofrom : a, b)
    {
#pragma omp target data use_device_ptr(p, q) use_device_ptr(middle)
        {
            if (separate()) CHECK(p != a && q != b, "host addresses");
            CHECK_EQ(middle - p, 10);
#pragma omp target is_device_ptr(p, q, middle)
            {
                p[1] = 10;
                q[2] = 20;
                middle[0] = 30;
            }
        }
        CHECK(p == a && q == b && middle == a + 10, "the host's pointers have changed");
        // Mapped and used by the same construct.
        int *own = malloc(10 * sizeof *own);
        FILL(own, 10, 5);
#pragma omp target data map(tofrom : own[0 : 10]) use_device_ptr(own)
        {
#pragma omp target is_device_ptr(own)
            own[9] = 6;
        }
        CHECK_EQ(own[9], 6);
        CHECK_EQ(own[8], 5);
        free(own);
    }
    CHECK_EQ(a[1], 10);
    CHECK_EQ(b[2], 20);
    CHECK_EQ(a[10], 30);
    return verdict();
}
