// A taskwait with dependences and nowait is an empty task: the generating task goes on, later siblings wait for what it waits for.
// OpenMP 5.1, 2.19.5 (taskwait)
//@ compilers: clang
//@ needs: clang 16
#include "check.h"

int main(void) {
    for (int round = 0; round < 20; round++) {
        int a = 0, b = 0, c = 0;
#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(out : a) shared(a)
            {
                spin_work(2000);
                a = 1;
            }
#pragma omp task depend(out : b) shared(b)
            {
                spin_work(2000);
                b = 1;
            }
#pragma omp taskwait depend(in : a, b) depend(out : c) nowait
#pragma omp task depend(in : c) shared(a, b)
            {
                CHECK_EQ(a, 1);
                CHECK_EQ(b, 1);
            }
#pragma omp taskwait
        }
    }
    return verdict();
}
