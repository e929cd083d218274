// ordered(8): eight loops, more numbers in a vector than fit registers, each loop waited for in turn.
// OpenMP 5.1, 2.19.9
#include "check.h"

static int sum[3][2][2][3][2][2][2][3];

#define ALL(a, b, c, d, e, f, g, h) sum[a][b][c][d][e][f][g][h]

int main(void) {
    for (int round = 0; round < 4; round++) {
        __builtin_memset(sum, 0, sizeof sum);
#pragma omp parallel for ordered(8) schedule(dynamic)
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 2; b++)
                for (int c = 0; c < 2; c++)
                    for (int d = 0; d < 3; d++)
                        for (int e = 0; e < 2; e++)
                            for (int f = 0; f < 2; f++)
                                for (int g = 0; g < 2; g++)
                                    for (int h = 0; h < 3; h++) {
#pragma omp ordered depend(sink : a - 1, b, c, d, e, f, g, h) depend(sink : a, b, c, d, e, f, g, h - 1)
                                        ALL(a, b, c, d, e, f, g, h) = 1 + (a ? ALL(a - 1, b, c, d, e, f, g, h) : 0) +
                                                                      (h ? ALL(a, b, c, d, e, f, g, h - 1) : 0);
#pragma omp ordered depend(source)
                                    }
        int wrong = 0;
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 96 / 2; b++)
                for (int h = 0; h < 3; h++) {
                    int (*flat)[96 / 2 * 2][3] = (int (*)[96 / 2 * 2][3])sum;
                    wrong += flat[a][b][h] != 1 + (a ? flat[a - 1][b][h] : 0) + (h ? flat[a][b][h - 1] : 0);
                }
        CHECK_EQ(wrong, 0);
    }
    return verdict();
}
