// single with private and firstprivate, in a loop of every thread, and in teams of one and outside any region.
// OpenMP 5.1, 2.10.2
#include "check.h"

int main(void) {
    int count = 0, seed = 9, kept = 4;
#pragma omp single
    count++;
    CHECK_EQ(count, 1);
#pragma omp parallel num_threads(1)
    {
#pragma omp single
        count++;
    }
    CHECK_EQ(count, 2);
#pragma omp parallel
    {
        for (int i = 0; i < 25; i++) {
#pragma omp single firstprivate(seed) private(kept)
            {
                CHECK_EQ(seed, 9);
                seed = kept = i;
                count += seed == kept;
            }
        }
    }
    CHECK_EQ(count, 27);
    CHECK_EQ(seed, 9);
    CHECK_EQ(kept, 4);
    return verdict();
}
