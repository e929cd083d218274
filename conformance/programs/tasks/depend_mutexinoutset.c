// mutexinoutset tasks on one variable exclude each other in any order, after earlier writers and before later readers.
// OpenMP 5.1, 2.19.11
#include "check.h"

int main(void) {
    for (int round = 0; round < 8; round++) {
        int x = 0, y = 0, inside = 0;
        long sum = 0;
#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(out : x) shared(sum)
            sum = 1000;
            for (int i = 0; i < 25; i++) {
#pragma omp task depend(mutexinoutset : x) shared(sum, inside) firstprivate(i)
                {
                    CHECK(sum >= 1000, "%ld", sum);
                    CHECK_EQ(inside, 0);
                    inside = 1;
                    sum += i;
                    inside = 0;
                }
                if (i % 5 == 0) {
#pragma omp task depend(mutexinoutset : x, y) shared(sum, inside)
                    {
                        CHECK_EQ(inside, 0);
                        inside = 1;
                        sum += 100;
                        inside = 0;
                    }
                }
            }
#pragma omp task depend(in : x) shared(sum)
            CHECK_EQ(sum, 1000 + 300 + 500);
        }
        CHECK_EQ(sum, 1800);
    }
    return verdict();
}
