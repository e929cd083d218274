// Many nowait sections constructs in a row, with one to nine sections, interleaved with loops and singles.
// OpenMP 5.1, 2.10.1
#include "check.h"

int main(void) {
    int counts[9] = {0}, ones = 0, singles = 0, loops = 0, rounds = 40;
#pragma omp parallel
    for (int r = 0; r < rounds; r++) {
#pragma omp sections nowait
        {
#pragma omp section
            {
#pragma omp atomic
                ones++;
            }
        }
#pragma omp sections nowait
        {
#pragma omp section
            {
#pragma omp atomic
                counts[0]++;
            }
#pragma omp section
            {
#pragma omp atomic
                counts[1]++;
            }
#pragma omp section
            {
#pragma omp atomic
                counts[2]++;
            }
#pragma omp section
            {
#pragma omp atomic
                counts[3]++;
            }
#pragma omp section
            {
#pragma omp atomic
                counts[4]++;
            }
#pragma omp section
            {
#pragma omp atomic
                counts[5]++;
            }
#pragma omp section
            {
#pragma omp atomic
                counts[6]++;
            }
#pragma omp section
            {
#pragma omp atomic
                counts[7]++;
            }
#pragma omp section
            {
#pragma omp atomic
                counts[8]++;
            }
        }
#pragma omp single nowait
        {
#pragma omp atomic
            singles++;
        }
#pragma omp for schedule(dynamic) nowait
        for (int i = 0; i < 5; i++) {
#pragma omp atomic
            loops++;
        }
    }
    for (int i = 0; i < 9; i++) CHECK_EQ(counts[i], rounds);
    CHECK_EQ(ones, rounds);
    CHECK_EQ(singles, rounds);
    CHECK_EQ(loops, 5 * rounds);
    return verdict();
}
