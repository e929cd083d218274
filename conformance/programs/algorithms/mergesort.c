// Merge sort with tasks down to small pieces; sizes around powers of two.
// OpenMP 5.1, 2.12
#include <string.h>

#include "check.h"

static void sort(int *a, int *scratch, int n) {
    if (n < 12) {
        for (int i = 1; i < n; i++) {
            int x = a[i], j = i;
            for (; j > 0 && a[j - 1] > x; j--) a[j] = a[j - 1];
            a[j] = x;
        }
        return;
    }
    int half = n / 2;
#pragma omp task
    sort(a, scratch, half);
#pragma omp task
    sort(a + half, scratch + half, n - half);
#pragma omp taskwait
    int i = 0, j = half, k = 0;
    while (i < half || j < n) scratch[k++] = j == n || (i < half && a[i] <= a[j]) ? a[i++] : a[j++];
    memcpy(a, scratch, sizeof *a * (size_t)n);
}

int main(void) {
    static int a[8200], scratch[8200];
    static const int sizes[] = {0, 1, 2, 31, 32, 33, 1000, 4096, 8191};
    for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
        int n = sizes[s];
        long sum = 0, after = 0;
        unsigned seed = 7;
        for (int i = 0; i < n; i++) {
            seed = seed * 1664525u + 1013904223u;
            a[i] = (int)(seed >> 8) % 5000;
            sum += a[i];
        }
#pragma omp parallel
#pragma omp single
        sort(a, scratch, n);
        for (int i = 0; i < n; i++) {
            after += a[i];
            if (i) CHECK(a[i - 1] <= a[i], "n %d at %d", n, i);
        }
        CHECK_EQ(after, sum);
    }
    return verdict();
}
