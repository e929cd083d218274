// target nowait: the region runs at some time before taskwait, with the values of when it was encountered. OpenMP 5.1, 2.14.5
//@ devices: 1 3
#include "device.h"

int main(void) {
    int a[8] = {0}, x = 3;
#pragma omp target nowait map(tofrom : a)
    for (int i = 0; i < 8; i++) a[i] += x + i;
    x = 1000;
#pragma omp taskwait
    for (int i = 0; i < 8; i++) CHECK_EQ(a[i], 3 + i);
    int b[64][16];
    for (int k = 0; k < 64; k++) {
        int *row = b[k];
#pragma omp target nowait map(from : row[0 : 16]) firstprivate(k)
        for (int i = 0; i < 16; i++) row[i] = 100 * k + i;
    }
#pragma omp taskwait
    for (int k = 0; k < 64; k++)
        for (int i = 0; i < 16; i++) CHECK_EQ(b[k][i], 100 * k + i);
    return verdict();
}
