// The num_threads clause sets the size of each team, growing and shrinking from region to region, and no later one.
// OpenMP 5.1, 2.6.1 (determining the number of threads)
#include "check.h"

int main(void) {
    int standard = omp_get_max_threads();
    static const int sizes[] = {1, 4, 2, 7, 1, 3, 12, 5, 12, 1, 2, 16, 6};
    for (int round = 0; round < 3; round++) {
        for (unsigned s = 0; s < sizeof sizes / sizeof *sizes; s++) {
            int count = 0, sum = 0;
#pragma omp parallel num_threads(sizes[s]) reduction(+ : count, sum)
            {
                CHECK_EQ(omp_get_num_threads(), sizes[s]);
                count++;
                sum += omp_get_thread_num();
            }
            CHECK_EQ(count, sizes[s]);
            CHECK_EQ(sum, sizes[s] * (sizes[s] - 1) / 2);
            CHECK_EQ(omp_get_max_threads(), standard);
        }
        int count = 0;
#pragma omp parallel reduction(+ : count)
        count++;
        CHECK_EQ(count, standard);
    }
    return verdict();
}
