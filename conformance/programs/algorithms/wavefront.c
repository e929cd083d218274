// Longest common subsequence by a wavefront of blocks, as tasks that depend on the blocks above and to the left.
// OpenMP 5.1, 2.19.11
#include "check.h"

enum { N = 120, BLOCK = 15, BLOCKS = N / BLOCK };

static int table[N + 1][N + 1], serial[N + 1][N + 1];
static char x[N], y[N];

static void fill(int t[N + 1][N + 1], int i0, int j0) {
    for (int i = i0; i < i0 + BLOCK; i++)
        for (int j = j0; j < j0 + BLOCK; j++) {
            int up = t[i][j + 1], left = t[i + 1][j];
            t[i + 1][j + 1] = x[i] == y[j] ? t[i][j] + 1 : up > left ? up : left;
        }
}

int main(void) {
    static char done[BLOCKS + 1][BLOCKS + 1];
    (void)done;
    for (int i = 0; i < N; i++) x[i] = (char)('a' + i * i % 7), y[i] = (char)('a' + i * 5 % 6);
    for (int i = 0; i < N; i += BLOCK)
        for (int j = 0; j < N; j += BLOCK) fill(serial, i, j);
#pragma omp parallel
#pragma omp single
    for (int i = 0; i < BLOCKS; i++)
        for (int j = 0; j < BLOCKS; j++) {
#pragma omp task depend(in : done[i][j + 1], done[i + 1][j]) depend(out : done[i + 1][j + 1])
            fill(table, i * BLOCK, j * BLOCK);
        }
    for (int i = 0; i <= N; i++)
        for (int j = 0; j <= N; j++) CHECK_EQ(table[i][j], serial[i][j]);
    return verdict();
}
