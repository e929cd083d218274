// Inclusive and exclusive scans in target regions. OpenMP 5.1, 2.11.8
//@ devices: 1 3
//@ needs: gcc 10
#include "device.h"

#define N 200

int main(void) {
    int a[N], inclusive[N], exclusive[N], sum = 0, before = 0;
    for (int i = 0; i < N; i++) a[i] = i % 7;
#pragma omp target map(to : a) map(from : inclusive) map(tofrom : sum)
    {
#pragma omp parallel for reduction(inscan, + : sum) num_threads(3)
        for (int i = 0; i < N; i++) {
            sum += a[i];
#pragma omp scan inclusive(sum)
            inclusive[i] = sum;
        }
    }
#pragma omp target map(to : a) map(from : exclusive) map(tofrom : before)
    {
#pragma omp parallel for reduction(inscan, + : before) num_threads(3)
        for (int i = 0; i < N; i++) {
            exclusive[i] = before;
#pragma omp scan exclusive(before)
            before += a[i];
        }
    }
    int want = 0;
    for (int i = 0; i < N; i++) {
        CHECK_EQ(exclusive[i], want);
        want += a[i];
        CHECK_EQ(inclusive[i], want);
    }
    CHECK_EQ(sum, want);
    return verdict();
}
