// scope runs on every thread of the team, ends with a barrier unless nowait, and carries private variables and reductions.
// OpenMP 5.1, 2.9 (scope construct)
//@ compilers: gcc
//@ needs: gcc 12
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads();
    for (int round = 0; round < 15; round++) {
        int arrived = 0, total = 0, hidden = 6, least = 100;
#pragma omp parallel
        {
#pragma omp scope private(hidden)
            {
                hidden = omp_get_thread_num();
#pragma omp atomic
                arrived += hidden >= 0;
            }
            CHECK_EQ(arrived, threads);
#pragma omp scope reduction(+ : total) reduction(min : least)
            {
                total += omp_get_thread_num() + 1;
                if (omp_get_thread_num() < least) least = omp_get_thread_num();
            }
            CHECK_EQ(total, threads * (threads + 1) / 2);
            CHECK_EQ(least, 0);
#pragma omp scope nowait
            {
#pragma omp atomic
                arrived++;
            }
        }
        CHECK_EQ(arrived, 2 * threads);
        CHECK_EQ(hidden, 6);
    }
    return verdict();
}
