// omp_all_memory: such a task comes after all earlier siblings with dependences, and before all later ones. OpenMP 5.1, 2.19.11
//@ compilers: clang
//@ needs: clang 16
#include "check.h"

enum { N = 10 };

int main(void) {
    for (int round = 0; round < 10; round++) {
        int a[N] = {0}, before = 0, after = 0, middle = 0, free_runner = 0;
#pragma omp parallel
#pragma omp single
        {
            for (int i = 0; i < N; i++) {
#pragma omp task depend(out : a[i]) shared(before)
                {
                    spin_work(500);
#pragma omp atomic
                    before++;
                }
#pragma omp task depend(in : a[i / 2]) shared(before)
                {
#pragma omp atomic
                    before++;
                }
            }
#pragma omp task shared(free_runner)
            {
#pragma omp atomic
                free_runner++;
            }
#pragma omp task depend(inout : omp_all_memory) shared(before, middle)
            {
                CHECK_EQ(before, 2 * N);
                spin_work(1000);
                middle = 1;
            }
#pragma omp task depend(out : omp_all_memory) depend(in : a[3]) shared(middle)
            {
                CHECK_EQ(middle, 1);
                middle = 2;
            }
            for (int i = 0; i < N; i++) {
                int other;
#pragma omp task depend(inout : a[i]) depend(out : other) shared(middle, after)
                {
                    CHECK_EQ(middle, 2);
#pragma omp atomic
                    after++;
                }
            }
#pragma omp task depend(out : omp_all_memory) if (0) shared(after, middle)
            {
                CHECK_EQ(after, N);
                middle = 3;
            }
            int last = 0;
#pragma omp task depend(in : a[0]) shared(last)
            {
                spin_work(1000);
                last = 1;
            }
#pragma omp taskwait depend(inout : omp_all_memory)
            CHECK_EQ(last, 1);
        }
        CHECK_EQ(middle, 3);
        CHECK_EQ(free_runner, 1);
    }
    return verdict();
}
