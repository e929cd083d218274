// The combined parallel sections construct, one section to many, with num_threads and nested inside a loop.
// OpenMP 5.1, 2.16.3 (parallel sections)
#include "check.h"

int main(void) {
    for (int round = 0; round < 20; round++) {
        int a = 0, b = 0, c = 0;
#pragma omp parallel sections
        {
            a++;
#pragma omp section
            b++;
#pragma omp section
            c++;
        }
        CHECK_EQ(a * 100 + b * 10 + c, 111);
#pragma omp parallel sections num_threads(3) firstprivate(a)
        {
#pragma omp section
            b += a + omp_get_num_threads();
        }
        CHECK_EQ(b, 5);
    }
    return verdict();
}
