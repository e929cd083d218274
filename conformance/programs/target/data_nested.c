// Nested target data: the outermost construct copies, at its beginning and end. OpenMP 5.1, 2.14.2
//@ devices: 1 3
#include "device.h"

int main(void) {
    int a[40], b[40], seen = 0;
    for (int i = 0; i < 40; i++) a[i] = i, b[i] = 0;
#pragma omp target data map(tofrom : a)
    {
        a[0] = -1;
#pragma omp target data map(tofrom : a) map(from : b)
        {
#pragma omp target data map(to : a[10 : 10])
            {
#pragma omp target map(from : seen)
                {
                    seen = a[0];
                    for (int i = 0; i < 40; i++) b[i] = 2 * a[i];
                    a[1] = 100;
                }
            }
            if (separate()) CHECK_EQ(a[1], 1);
        }
        CHECK_EQ(b[39], 78);
        if (separate()) {
            CHECK_EQ(seen, 0);
            CHECK_EQ(a[1], 1);
        }
    }
    if (separate()) CHECK_EQ(a[0], 0);
    CHECK_EQ(a[1], 100);
    return verdict();
}
