// Critical sections exclude each other by name: unnamed, two names, and hinted ones; a counter shows any overlap.
// OpenMP 5.1, 2.19.1 (critical construct)
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), rounds = 150;
    long plain = 0, first = 0, second = 0, hinted = 0;
    int inside = 0;
#pragma omp parallel
    for (int i = 0; i < rounds; i++) {
#pragma omp critical
        {
            CHECK_EQ(inside, 0);
            inside = 1;
            plain++;
            inside = 0;
        }
#pragma omp critical(one)
        first++;
#pragma omp critical(two)
        {
            second++;
#pragma omp critical(three) hint(omp_sync_hint_contended)
            hinted++;
        }
    }
    CHECK_EQ(plain, (long)threads * rounds);
    CHECK_EQ(first, (long)threads * rounds);
    CHECK_EQ(second, (long)threads * rounds);
    CHECK_EQ(hinted, (long)threads * rounds);
    return verdict();
}
