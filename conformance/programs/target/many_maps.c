// Hundreds of mappings at once, found again, and released in another order. OpenMP 5.1, 2.14.3-4
//@ devices: 1 3
#include "device.h"

#define N 500

int main(void) {
    int *p[N];
    for (int i = 0; i < N; i++) {
        p[i] = malloc((i % 17 + 1) * sizeof(int));
        p[i][0] = i;
        int *q = p[i];
        CHECK_EQ(q[0], i);
#pragma omp target enter data map(to : q[0 : i % 17 + 1])
    }
    for (int i = 0; i < N; i++) {
        int *q = p[i * 7 % N];
#pragma omp target
        q[0] += 10000;
    }
    for (int i = 0; i < N; i++) {
        int k = i * 11 % N, *q = p[k];
#pragma omp target exit data map(from : q[0 : k % 17 + 1])
        CHECK_EQ(q[0], k + 10000);
        free(q);
    }
    return verdict();
}
