// Thousands of short regions in a row, with serial work between, lose no thread and no update.
// OpenMP 5.1, 2.6
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), rounds = threads > 8 ? 150 : 1000;
    static struct {
        _Alignas(64) long count;
    } slot[64];
    for (int round = 0; round < rounds; round++) {
#pragma omp parallel
        slot[omp_get_thread_num()].count++;
        for (int t = 0; t < threads; t++) CHECK_EQ(slot[t].count, round + 1);
    }
    return verdict();
}
