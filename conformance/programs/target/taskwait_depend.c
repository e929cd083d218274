// taskwait with depend waits for a target task, and others may still run. OpenMP 5.1, 2.19.5
//@ devices: 1 3
#include "device.h"

int main(void) {
    int a[100], b[100];
    FILL(a, 100, 0);
    FILL(b, 100, 0);
#pragma omp parallel
#pragma omp single
    {
#pragma omp target nowait depend(out : a) map(tofrom : a)
        for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target nowait depend(out : b) map(tofrom : b)
        for (int i = 0; i < 100; i++) b[i] = 2 * i;
#pragma omp taskwait depend(in : a)
        for (int i = 0; i < 100; i++) CHECK_EQ(a[i], i);
#pragma omp taskwait depend(in : b)
        for (int i = 0; i < 100; i++) CHECK_EQ(b[i], 2 * i);
    }
    return verdict();
}
