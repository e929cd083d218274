// Teams that grow and shrink at random, each followed by a barrier and a reduction, keep exact membership.
// OpenMP 5.1, 2.6.1
//@ threads: 1 2 8
#include "check.h"

int main(void) {
    unsigned seed = 12345;
    int top = omp_get_max_threads() * 2 + 1;
    for (int round = 0; round < 120; round++) {
        seed = seed * 1103515245u + 12345u;
        int size = 1 + (int)(seed >> 16) % top, sum = 0, arrived = 0;
#pragma omp parallel num_threads(size) reduction(+ : sum)
        {
            sum += omp_get_thread_num() + 1;
#pragma omp atomic
            arrived++;
#pragma omp barrier
            CHECK_EQ(arrived, size);
        }
        CHECK_EQ(sum, size * (size + 1) / 2);
    }
    return verdict();
}
