// target update to and from, of scalars, arrays, sections and several lists. OpenMP 5.1, 2.14.6
//@ devices: 1 3
#include "device.h"

int main(void) {
    int a[50], b[50], x = 1, seen = 0;
    for (int i = 0; i < 50; i++) a[i] = i, b[i] = 0;
#pragma omp target data map(to : a, x) map(alloc : b)
    {
        a[10] = 1000;
        a[20] = 2000;
        x = 7;
#pragma omp target update to(a[10 : 1], x)
#pragma omp target map(from : seen)
        {
            seen = x;
            for (int i = 0; i < 50; i++) b[i] = a[i];
        }
        CHECK_EQ(seen, 7);
#pragma omp target update from(b)
        CHECK_EQ(b[9], 9);
        CHECK_EQ(b[10], 1000);
        if (separate()) CHECK_EQ(b[20], 20);
#pragma omp target
        for (int i = 0; i < 50; i++) a[i] = -i;
#pragma omp target update from(a[: 5])
#pragma omp target update from(a[45 : 5])
        CHECK_EQ(a[4], -4);
        CHECK_EQ(a[45], -45);
        if (separate()) {
            CHECK_EQ(a[5], 5);
            CHECK_EQ(a[44], 44);
        }
        a[0] = 1;
        b[0] = 2;
#pragma omp target update to(a[0 : 1]) from(b[0 : 1])
        if (separate()) CHECK_EQ(b[0], 0);
    }
    return verdict();
}
