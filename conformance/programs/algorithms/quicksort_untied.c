// Quicksort with untied tasks, final below a cutoff, and a taskgroup instead of taskwaits.
// OpenMP 5.1, 2.12.1, 2.19.6
#include "check.h"

static void sort(int *a, int n) {
    if (n < 2) return;
    int pivot = a[n / 2], i = 0, j = n - 1;
    while (i <= j) {
        while (a[i] < pivot) i++;
        while (a[j] > pivot) j--;
        if (i <= j) {
            int t = a[i];
            a[i++] = a[j];
            a[j--] = t;
        }
    }
#pragma omp task untied mergeable final(j < 30)
    sort(a, j + 1);
#pragma omp task untied mergeable final(n - i < 30)
    sort(a + i, n - i);
}

int main(void) {
    enum { N = 5000 };
    static int a[N];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < N; i++) a[i] = (i * 7919 + round) % N;
#pragma omp parallel
        {
#pragma omp single nowait
            {
#pragma omp taskgroup
                sort(a, N);
                for (int i = 0; i < N; i++) CHECK_EQ(a[i], i);
            }
        }
    }
    return verdict();
}
