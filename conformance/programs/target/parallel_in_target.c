// target parallel: num_threads, thread numbers, data of the region shared and private, nested parallel regions.
// OpenMP 5.1, 2.6, 2.14.5
//@ devices: 1 3
#include "device.h"

int main(void) {
    int size = 0, sum = 0, level = 0, inner[4] = {0};
#pragma omp target parallel num_threads(4) map(from : size, level) map(tofrom : sum)
    {
#pragma omp atomic
        sum += omp_get_thread_num() + 1;
#pragma omp single
        {
            size = omp_get_num_threads();
            level = omp_get_level();
        }
    }
    CHECK(size >= 1 && size <= 4, "%d threads", size);
    CHECK_EQ(sum, size * (size + 1) / 2);
    CHECK_EQ(level, 1);
#pragma omp target map(tofrom : inner) map(from : level)
    {
        int shared_value = 5;
#pragma omp parallel num_threads(2) shared(shared_value)
        {
            int outer = omp_get_thread_num();
#pragma omp parallel num_threads(2)
            {
#pragma omp atomic
                inner[outer] += shared_value;
#pragma omp master
                if (outer == 0) level = omp_get_level();
            }
        }
    }
    CHECK(inner[0] >= 5, "%d", inner[0]);
    CHECK_EQ(level, 2);
    return verdict();
}
