// close: a hint that changes no result. OpenMP 5.1, 2.21.7.1
//@ devices: 1 3
//@ needs: gcc 12
#include "device.h"

int main(void) {
    int a[100], b[100];
    for (int i = 0; i < 100; i++) a[i] = i;
#pragma omp target map(close, to : a) map(close, from : b)
    for (int i = 0; i < 100; i++) b[i] = a[i] * a[i];
    for (int i = 0; i < 100; i++) CHECK_EQ(b[i], i * i);
#pragma omp target enter data map(close, to : a)
#pragma omp target
    for (int i = 0; i < 100; i++) a[i]++;
#pragma omp target exit data map(from : a)
    for (int i = 0; i < 100; i++) CHECK_EQ(a[i], i + 1);
#pragma omp target data map(always close tofrom : a)
#pragma omp target
    for (int i = 0; i < 100; i++) a[i]--;
    for (int i = 0; i < 100; i++) CHECK_EQ(a[i], i);
    return verdict();
}
