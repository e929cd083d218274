// Reductions over whole arrays, array sections and arrays of run-time length.
// OpenMP 5.1, 2.21.5 (array sections in reduction clauses)
#include "check.h"

static void run(int n, long *heap) {
    int fixed[10] = {0}, sized[n];
    for (int i = 0; i < n; i++) sized[i] = i, heap[i] = -1000;
#pragma omp parallel for reduction(+ : fixed, sized[:n]) reduction(max : heap[1 : n - 1]) schedule(dynamic, 3)
    for (int i = 0; i < 200; i++) {
        fixed[i % 10] += i;
        sized[i % n]++;
        int k = i % n;
        if (k > 0 && heap[k] < i) heap[k] = i;
    }
    for (int k = 0; k < 10; k++) CHECK_EQ(fixed[k], 20 * k + 10 * 190);
    CHECK_EQ(heap[0], -1000);
    for (int k = 0; k < n; k++) {
        int count = 0, last = -1000;
        for (int i = k; i < 200; i += n) count++, last = i;
        CHECK_EQ(sized[k], k + count);
        if (k > 0) CHECK_EQ(heap[k], last);
    }
}

int main(void) {
    long heap[40];
    for (int n = 2; n < 40; n += 5) run(n, heap);
    return verdict();
}
