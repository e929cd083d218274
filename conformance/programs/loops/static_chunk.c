// Static schedule with a chunk: chunk k belongs to thread k mod team size, for all sizes around multiples.
// OpenMP 5.1, 2.11.4, table 2.5
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads();
    for (int chunk = 1; chunk <= 9; chunk += 2) {
        for (int n = 0; n <= 60; n += n < 12 ? 1 : 9) {
            int owner[70];
            for (int i = 0; i < 70; i++) owner[i] = -1;
#pragma omp parallel for schedule(static, chunk)
            for (int i = 0; i < n; i++) owner[i] = omp_get_thread_num();
            for (int i = 0; i < n; i++) CHECK_EQ(owner[i], i / chunk % threads);
            for (int i = n; i < 70; i++) CHECK_EQ(owner[i], -1);
        }
    }
    return verdict();
}
