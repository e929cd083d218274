// 64 MiB to the device and back, checked at its ends and in between. OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
//@ threads: 3
#include "device.h"

int main(void) {
    size_t n = (size_t)64 << 20, step = 4093;
    unsigned char *p = malloc(n);
    for (size_t i = 0; i < n; i += step) p[i] = (unsigned char)(i / step);
    p[n - 1] = 99;
    long wrong = -1;
#pragma omp target data map(tofrom : p[0 : n])
    {
#pragma omp target map(from : wrong)
        {
            wrong = p[n - 1] != 99;
            for (size_t i = 0; i < n; i += step) {
                wrong += p[i] != (unsigned char)(i / step);
                p[i] = (unsigned char)(i / step + 1);
            }
            p[n - 1] = 98;
        }
    }
    CHECK_EQ(wrong, 0);
    CHECK_EQ(p[n - 1], 98);
    for (size_t i = 0; i < n; i += step) CHECK_EQ(p[i], (unsigned char)(i / step + 1));
    free(p);
    return verdict();
}
