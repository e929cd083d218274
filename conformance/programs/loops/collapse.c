// Collapsed loops of depth two to four, with different bounds, steps and types, one empty dimension, and lastprivate indices.
// OpenMP 5.1, 2.11.4 (collapse clause)
#include "check.h"

static int hits[7][6][5][4];

int main(void) {
    for (int round = 0; round < 6; round++) {
        __builtin_memset(hits, 0, sizeof hits);
#pragma omp parallel
        {
#pragma omp for collapse(4) schedule(dynamic, 3)
            for (int a = 0; a < 7; a++)
                for (long b = 5; b >= 0; b--)
                    for (unsigned c = 0; c < 5; c++)
                        for (int d = 3; d >= 0; d -= 1) hits[a][b][c][d]++;
#pragma omp for collapse(3) schedule(static, 4)
            for (int a = 0; a < 7; a++)
                for (int b = 0; b < 6; b += 2)
                    for (int c = 4; c > 0; c -= 2) hits[a][b][c][0] += 10;
#pragma omp for collapse(2) schedule(guided)
            for (int a = 0; a < 7; a++)
                for (int b = round; b < round; b++) hits[a][b % 6][0][0] += 1000;
        }
        for (int a = 0; a < 7; a++)
            for (int b = 0; b < 6; b++)
                for (int c = 0; c < 5; c++)
                    for (int d = 0; d < 4; d++)
                        CHECK_EQ(hits[a][b][c][d], 1 + 10 * (b % 2 == 0 && c % 2 == 0 && c > 0 && d == 0));
        int i, j;
#pragma omp parallel for collapse(2) lastprivate(i, j) schedule(static, 2)
        for (i = 0; i < 9; i += 2)
            for (j = 10; j > 3; j -= 3) spin_work(3);
        CHECK_EQ(i, 10);
        CHECK_EQ(j, 1);
    }
    return verdict();
}
