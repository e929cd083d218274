// Reversed and interchanged nests inside worksharing loops: each iteration is executed once, and a reversed loop of one thread from its
// last iteration to its first. OpenMP 6.0, 11.4, 11.5
//@ compilers: clang
//@ needs: clang 21
//@ flags: -fopenmp-version=60
#include "check.h"

enum { ROWS = 31, COLUMNS = 43 };

static int hits[ROWS][COLUMNS];

static void check(const char *what) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            CHECK(hits[i][j] == 1, "%s: %d,%d is %d", what, i, j, hits[i][j]);
            hits[i][j] = 0;
        }
}

int main(void) {
#pragma omp parallel for schedule(dynamic, 3)
#pragma omp reverse
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) hits[i][j]++;
    check("reversed");
#pragma omp parallel for schedule(guided) collapse(2)
#pragma omp interchange
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) hits[i][j]++;
    check("interchanged");
#pragma omp parallel for
#pragma omp interchange permutation(2, 1)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
#pragma omp atomic
            hits[i][j]++;
        }
    check("permuted");
    int next = ROWS - 1;
#pragma omp parallel for num_threads(1)
#pragma omp reverse
    for (int i = 0; i < ROWS; i++) CHECK_EQ(i, next--);
    CHECK_EQ(next, -1);
    return verdict();
}
