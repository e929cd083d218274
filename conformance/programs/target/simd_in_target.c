// target simd and simd loops in target regions: reductions, safelen, linear, aligned. OpenMP 5.1, 2.11.5
//@ devices: 1 3
//@ stock-fails: clang because its loops with a simd chunk run iterations several times
//@ stock-fails: offload because its loops with a simd chunk run iterations several times
#include "device.h"

#pragma omp declare target
#pragma omp declare simd
static float square(float x) { return x * x; }
#pragma omp end declare target

int main(void) {
    float a[200], b[200];
    double sum = 0;
    for (int i = 0; i < 200; i++) a[i] = i;
#pragma omp target simd map(to : a) map(from : b)
    for (int i = 0; i < 200; i++) b[i] = square(a[i]);
    for (int i = 0; i < 200; i++) CHECK(b[i] == (float)i * i, "%d: %g", i, b[i]);
#pragma omp target simd reduction(+ : sum) map(tofrom : sum) safelen(8)
    for (int i = 0; i < 200; i++) sum += a[i];
    CHECK(sum == 19900, "%g", sum);
#pragma omp target parallel for simd map(tofrom : b) schedule(simd : static, 10)
    for (int i = 0; i < 200; i++) b[i] -= a[i];
    for (int i = 0; i < 200; i++) CHECK(b[i] == (float)i * i - i, "%d: %g", i, b[i]);
#pragma omp target map(tofrom : a)
    {
#pragma omp simd simdlen(4)
        for (int i = 0; i < 200; i++) a[i] += 1;
    }
    CHECK(a[199] == 200, "%g", a[199]);
    return verdict();
}
