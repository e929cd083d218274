// metadirective and begin declare variant: what the host compiles one way and device code another. OpenMP 5.1, 2.3
//@ devices: 1 3
//@ needs: clang 14, gcc 15
#include "device.h"

int main(void) {
    int a[100];
#pragma omp target map(from : a)
    {
#pragma omp metadirective when(device = {kind(nohost)} : parallel for) default(simd)
        for (int i = 0; i < 100; i++) a[i] = i;
    }
    for (int i = 0; i < 100; i++) CHECK_EQ(a[i], i);
#pragma omp metadirective when(implementation = {vendor(llvm)} : target parallel for map(from : a)) default(parallel for)
    for (int i = 0; i < 100; i++) a[i] = 2 * i;
    for (int i = 0; i < 100; i++) CHECK_EQ(a[i], 2 * i);
    return verdict();
}
