// Dependences in, out and inout order sibling tasks on the same variable: a chain, readers between writers, and a diamond.
// OpenMP 5.1, 2.19.11 (depend clause)
#include "check.h"

int main(void) {
    for (int round = 0; round < 15; round++) {
        int x = 0, readers = 0, a = 0, b = 0, c = 0, d = 0;
        (void)d;
#pragma omp parallel
#pragma omp single
        {
            for (int i = 0; i < 30; i++) {
#pragma omp task depend(inout : x) firstprivate(i)
                {
                    CHECK_EQ(x, i);
                    x++;
                }
            }
            for (int i = 0; i < 10; i++) {
#pragma omp task depend(in : x)
                {
                    CHECK_EQ(x, 30);
#pragma omp atomic
                    readers++;
                }
            }
#pragma omp task depend(out : x)
            {
                CHECK_EQ(readers, 10);
                x = 99;
            }
#pragma omp task depend(out : a)
            a = 1;
#pragma omp task depend(in : a) depend(out : b)
            b = a + 1;
#pragma omp task depend(in : a) depend(out : c)
            c = a + 2;
#pragma omp task depend(in : b, c) depend(out : d)
            d = b + c;
        }
        CHECK_EQ(x, 99);
        CHECK_EQ(d, 5);
    }
    return verdict();
}
