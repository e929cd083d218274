// No thread passes a barrier before all have arrived, many barriers in a row, between phases that read what others wrote.
// OpenMP 5.1, 2.19.2 (barrier construct)
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), phase[64] = {0};
#pragma omp parallel
    {
        int me = omp_get_thread_num();
        for (int round = 1; round <= 80; round++) {
            phase[me] = round;
#pragma omp barrier
            for (int i = 0; i < threads; i++) CHECK_EQ(phase[i], round);
#pragma omp barrier
        }
    }
    return verdict();
}
