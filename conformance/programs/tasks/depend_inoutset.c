// inoutset tasks on one variable run concurrently among themselves, but between those before and after with other kinds.
// OpenMP 5.1, 2.19.11 (inoutset, new in 5.1)
//@ compilers: clang
//@ needs: clang 16
#include "check.h"

int main(void) {
    for (int round = 0; round < 8; round++) {
        int x = 0, first = 0, middle = 0, readers = 0, last = 0;
#pragma omp parallel
#pragma omp single
        {
#pragma omp task depend(inout : x) shared(first)
            first = 1;
            for (int i = 0; i < 12; i++) {
#pragma omp task depend(inoutset : x) shared(first, middle, readers)
                {
                    CHECK_EQ(first, 1);
                    CHECK_EQ(readers, 0);
#pragma omp atomic
                    middle++;
                }
            }
            for (int i = 0; i < 6; i++) {
#pragma omp task depend(in : x) shared(middle, readers)
                {
                    CHECK_EQ(middle, 12);
#pragma omp atomic
                    readers++;
                }
            }
            for (int i = 0; i < 4; i++) {
#pragma omp task depend(inoutset : x) shared(readers, last)
                {
                    CHECK_EQ(readers, 6);
#pragma omp atomic
                    last++;
                }
            }
#pragma omp task depend(out : x) shared(last)
            CHECK_EQ(last, 4);
        }
        CHECK_EQ(last, 4);
    }
    return verdict();
}
