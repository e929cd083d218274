// Many firstprivate variables of different sizes and alignments, none of which disturbs its neighbours. OpenMP 5.1, 2.21.4.4
//@ devices: 1 3
//@ stock-fails: offload because it packs the variables without regard to their alignment
#include <stdint.h>

#include "device.h"

typedef struct {
    char bytes[3];
} odd;
typedef struct {
    _Alignas(64) double value[9];
} aligned;

int main(void) {
    odd o1 = {{1, 2, 3}}, o2 = {{4, 5, 6}}, o3 = {{7, 8, 9}};
    aligned a1, a2;
    char c1[5] = "abcd", c2[17] = "0123456789012345";
    short s1 = 1, s2[7] = {1, 2, 3, 4, 5, 6, 7};
    double d1[1] = {1.5}, d2[100];
    long double l1 = 7, l2[2] = {8, 9};
    for (int i = 0; i < 9; i++) a1.value[i] = i, a2.value[i] = 10 * i;
    for (int i = 0; i < 100; i++) d2[i] = i;
    int wrong = -1;
#pragma omp target firstprivate(o1, c1, s1, a1, o2, s2, l1, d1, c2, a2, o3, d2, l2) map(from : wrong)
    {
        wrong = 0;
        wrong += o1.bytes[2] != 3 || o2.bytes[0] != 4 || o3.bytes[1] != 8;
        wrong += (uintptr_t)&a1 % 64 != 0 || (uintptr_t)&a2 % 64 != 0;
        wrong += (uintptr_t)&l1 % 16 != 0 || (uintptr_t)l2 % 16 != 0 || (uintptr_t)d2 % 8 != 0;
        for (int i = 0; i < 9; i++) wrong += a1.value[i] != i || a2.value[i] != 10 * i;
        for (int i = 0; i < 100; i++) wrong += d2[i] != i;
        for (int i = 0; i < 7; i++) wrong += s2[i] != i + 1;
        wrong += c1[4] != 0 || c2[15] != '5' || c2[16] != 0 || s1 != 1 || d1[0] != 1.5 || l1 != 7 || l2[1] != 9;
    }
    CHECK_EQ(wrong, 0);
    return verdict();
}
