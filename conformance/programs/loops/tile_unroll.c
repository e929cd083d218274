// Tiled and unrolled nests inside worksharing loops: the loops that the transformations make are those that are shared out, and each
// iteration is executed once, whatever the schedule, and where the sizes do not divide the nest. OpenMP 5.1, 2.11.9
//@ needs: gcc 15
#include "check.h"

enum { ROWS = 31, COLUMNS = 43 };

static int hits[ROWS][COLUMNS];

static void check(const char *what, int wanted) {
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) {
            CHECK(hits[i][j] == wanted, "%s: %d,%d is %d", what, i, j, hits[i][j]);
            hits[i][j] = 0;
        }
}

int main(void) {
#pragma omp parallel for schedule(guided) collapse(2)
#pragma omp tile sizes(4, 7)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) hits[i][j]++;
    check("collapsed floor loops", 1);
#pragma omp parallel
    {
#pragma omp for schedule(dynamic, 2) nowait
#pragma omp tile sizes(5)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
#pragma omp atomic
                hits[i][j]++;
            }
#pragma omp for schedule(static, 1)
#pragma omp unroll partial(4)
        for (int i = 0; i < ROWS; i++)
            for (int j = 0; j < COLUMNS; j++) {
#pragma omp atomic
                hits[i][j]++;
            }
    }
    check("a floor loop and an unrolled one", 2);
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
#pragma omp tile sizes(3, 3)
#pragma omp tile sizes(2, 5)
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) sum += i * 100 + j;
    long wanted = 0;
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < COLUMNS; j++) wanted += i * 100 + j;
    CHECK_EQ(sum, wanted);
#pragma omp parallel for
    for (int i = 0; i < ROWS; i++) {
#pragma omp unroll full
        for (int j = 0; j < 8; j++) hits[i][j]++;
    }
    for (int i = 0; i < ROWS; i++) CHECK_EQ(hits[i][7], 1);
    return verdict();
}
