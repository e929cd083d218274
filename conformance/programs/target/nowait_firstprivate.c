// Large firstprivate arrays and structures of target tasks whose creator's frame is gone when they run. OpenMP 5.1, 2.21.4.4
//@ devices: 1 3
//@ cannot: offload because clang 19 hands over where the originals were, not copies
#include "device.h"

struct block {
    int n;
    short values[300];
};

static void start(int k, long *result, int *gate) {
    int array[100];
    struct block block = {300, {0}};
    for (int i = 0; i < 100; i++) array[i] = i + k;
    for (int i = 0; i < 300; i++) block.values[i] = (short)k;
#pragma omp target nowait firstprivate(array, block, k) map(from : result[0 : 1]) depend(in : *gate)
    {
        long sum = k;
        for (int i = 0; i < 100; i++) sum += array[i];
        for (int i = 0; i < block.n; i++) sum += block.values[i];
        result[0] = sum;
    }
    FILL(array, 100, -1);
    FILL(block.values, 300, -1);
}

int main(void) {
    long results[30];
    int gate = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : gate)
        spin_work(20000);
        for (int k = 0; k < 30; k++) start(k, &results[k], &gate);
#pragma omp taskwait
    }
    for (int k = 0; k < 30; k++) CHECK_EQ(results[k], k + 4950 + 100 * k + 300 * k);
    return verdict();
}
