// Tasks complete at each implicit barrier: of a loop, of sections, of single, of the region; and not because of nowait.
// OpenMP 5.1, 2.19.3, 2.12.5
#include "check.h"

int main(void) {
    for (int round = 0; round < 5; round++) {
        int a = 0, b = 0, c = 0, d = 0;
#pragma omp parallel
        {
#pragma omp for schedule(dynamic)
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(a)
                {
                    spin_work(50);
#pragma omp atomic
                    a++;
                }
            }
            CHECK_EQ(a, 20);
#pragma omp sections
            {
#pragma omp section
                for (int i = 0; i < 20; i++) {
#pragma omp task shared(b)
                    {
#pragma omp atomic
                        b++;
                    }
                }
            }
            CHECK_EQ(b, 20);
#pragma omp single
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(c)
                {
#pragma omp atomic
                    c++;
#pragma omp task shared(c)
                    {
#pragma omp atomic
                        c++;
                    }
                }
            }
            CHECK_EQ(c, 40);
#pragma omp master
            for (int i = 0; i < 20; i++) {
#pragma omp task shared(d)
                {
#pragma omp atomic
                    d++;
                }
            }
        }
        CHECK_EQ(d, 20);
    }
    return verdict();
}
