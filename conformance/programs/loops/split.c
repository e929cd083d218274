// A loop that is split, in a parallel region and inside another that is shared out: each iteration is executed once, in order.
// OpenMP 6.0, 11.6
//@ compilers: clang
//@ needs: clang 23
//@ flags: -fopenmp-version=60
#include "check.h"

static int rows[23][100];

int main(void) {
#pragma omp parallel for schedule(dynamic)
    for (int row = 0; row < 23; row++) {
        int next = 0;
#pragma omp split counts(10, omp_fill, 20)
        for (int i = 0; i < 100; i++) {
            CHECK_EQ(i, next);
            next++;
            rows[row][i]++;
        }
    }
    for (int row = 0; row < 23; row++)
        for (int i = 0; i < 100; i++) CHECK_EQ(rows[row][i], 1);
    return verdict();
}
