// Striped nests inside worksharing loops: each iteration is executed once, where the sizes do not divide the nest as well.
// OpenMP 6.0, 11.7
//@ compilers: clang
//@ needs: clang 21
//@ flags: -fopenmp-version=60
#include "check.h"

static int hits[101][53];

int main(void) {
#pragma omp parallel for collapse(2) schedule(dynamic)
#pragma omp stripe sizes(7, 5)
    for (int i = 0; i < 101; i++)
        for (int j = 0; j < 53; j++) hits[i][j]++;
#pragma omp parallel for
#pragma omp stripe sizes(8)
    for (int i = 0; i < 101; i++)
        for (int j = 0; j < 53; j++) hits[i][j] += 2;
    for (int i = 0; i < 101; i++)
        for (int j = 0; j < 53; j++) CHECK_EQ(hits[i][j], 3);
    return verdict();
}
