// A chain of 20 000 dependent tasks, created before the first may run: releasing one after the other takes no deep stack.
// OpenMP 5.1, 2.19.11
//@ threads: 1 2 8
#include "check.h"

int main(void) {
    enum { N = 20000 };
    int gate = 0, x = 0, opened = 0;
#pragma omp parallel
#pragma omp single
    {
#pragma omp task depend(out : gate) shared(opened)
        opened = 1;
        for (int i = 0; i < N; i++) {
#pragma omp task depend(in : gate) depend(inout : x) firstprivate(i) shared(x, opened)
            {
                if (x != i || !opened) CHECK_EQ(x, i);
                x++;
            }
        }
    }
    CHECK_EQ(x, N);
    (void)gate;
    return verdict();
}
