// Collapsed loops whose inner bounds depend on outer variables: triangles either way, bands, a factor, empty inner loops, depth three.
// OpenMP 5.1, 2.11.1 and 2.11.2 (non-rectangular loop nests)
//@ needs: gcc 11
#include "check.h"

enum { N = 13 };

static int hits[4 * N][4 * N], deep[N][N][N];

#define NEST(first, inner_from, inner_test, inner_step)                                       \
    do {                                                                                              \
        OMP(parallel for collapse(2))                                                                 \
        for (int i = first; i < N; i++)                                                               \
            for (int j = inner_from; inner_test; inner_step) {                                        \
                _Pragma("omp atomic") hits[i][j + 5]++;                                               \
            }                                                                                         \
        for (int i = first; i < N; i++)                                                               \
            for (int j = inner_from; inner_test; inner_step) hits[i][j + 5]--;                        \
        for (int i = 0; i < 4 * N; i++)                                                               \
            for (int j = 0; j < 4 * N; j++) {                                                         \
                CHECK(hits[i][j] == 0, "%s: %d %d: %+d", #inner_from ";" #inner_test, i, j - 5, hits[i][j]); \
                hits[i][j] = 0;                                                                       \
            }                                                                                         \
    } while (0)

int main(void) {
    for (int round = 0; round < 4; round++) {
        NEST(0, i, j < N, j++);
        NEST(0, 0, j < i, j++);
        NEST(0, 0, j <= 3 * i, j += 3);
        NEST(0, i - 3, j < i + 4, j += 2);
        NEST(0, N, j > i, j--);
        NEST(1, i + 2, j >= 1, j--);
        NEST(0, 0, j < 2 * i, j++);
        NEST(0, 8, j < i, j++);
    }
    int runs = 0;
#pragma omp parallel for collapse(3) reduction(+ : runs)
    for (int i = 0; i < N; i++)
        for (int j = i; j < N; j++)
            for (int k = 0; k <= i; k++) {
                deep[i][j][k]++;
                runs++;
            }
    int want = 0;
    for (int i = 0; i < N; i++)
        for (int j = 0; j < N; j++)
            for (int k = 0; k < N; k++) {
                CHECK_EQ(deep[i][j][k], j >= i && k <= i);
                want += j >= i && k <= i;
            }
    CHECK_EQ(runs, want);
    return verdict();
}
