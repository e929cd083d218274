// Fused loops of different lengths inside worksharing loops: each iteration of each is executed once; looprange leaves the loops behind
// it alone. OpenMP 6.0, 11.3
//@ compilers: clang
//@ needs: clang 22
//@ flags: -fopenmp-version=60
#include "check.h"

static int a[100], b[131], c[17];

int main(void) {
#pragma omp parallel for schedule(dynamic, 3)
#pragma omp fuse
    {
        for (int i = 0; i < 100; i++) a[i]++;
        for (int j = 0; j < 131; j++) b[j] += 2;
    }
#pragma omp parallel
#pragma omp for
#pragma omp fuse looprange(1, 3)
    {
        for (int i = 0; i < 100; i++) a[i]++;
        for (int j = 0; j < 131; j++) b[j] += 2;
        for (int k = 16; k >= 0; k--) c[k] += 3;
    }
    for (int i = 0; i < 100; i++) CHECK_EQ(a[i], 2);
    for (int j = 0; j < 131; j++) CHECK_EQ(b[j], 4);
    for (int k = 0; k < 17; k++) CHECK_EQ(c[k], 3);
    return verdict();
}
