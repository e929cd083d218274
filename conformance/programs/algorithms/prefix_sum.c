// Prefix sums in two passes over static blocks, with the block totals scanned in a single between barriers.
// OpenMP 5.1, 2.11.4, 2.10.2
#include "check.h"

int main(void) {
    static long x[1000], y[1000];
    for (int n = 0; n <= 1000; n += 1 + n / 3) {
        long total[65] = {0};
        for (int i = 0; i < n; i++) x[i] = (i * 31) % 17 - 5;
#pragma omp parallel
        {
            int me = omp_get_thread_num(), size = omp_get_num_threads();
            long sum = 0;
#pragma omp for schedule(static)
            for (int i = 0; i < n; i++) y[i] = sum += x[i];
            total[me + 1] = sum;
#pragma omp barrier
#pragma omp single
            for (int t = 1; t <= size; t++) total[t] += total[t - 1];
            // The same schedule gives each thread the same iterations again.
#pragma omp for schedule(static)
            for (int i = 0; i < n; i++) y[i] += total[me];
        }
        long sum = 0;
        for (int i = 0; i < n; i++) {
            sum += x[i];
            CHECK(y[i] == sum, "n %d at %d: %ld instead of %ld", n, i, y[i], sum);
        }
    }
    return verdict();
}
