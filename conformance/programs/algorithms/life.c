// The game of life on a torus, double-buffered, with single swapping the boards between generations.
// OpenMP 5.1, 2.10.2, 2.11.4
#include "check.h"

enum { W = 40, H = 30, GENERATIONS = 30 };

static unsigned char board[3][H][W];

static unsigned char step(unsigned char from[H][W], int y, int x) {
    int n = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++) n += (dy || dx) && from[(y + dy + H) % H][(x + dx + W) % W];
    return n == 3 || (n == 2 && from[y][x]);
}

int main(void) {
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) board[0][y][x] = board[2][y][x] = (y * 7 + x * 5 + y * x) % 3 == 0;
    unsigned char(*from)[W] = board[0], (*to)[W] = board[1];
    int alive = 0;
#pragma omp parallel
    for (int g = 0; g < GENERATIONS; g++) {
#pragma omp for collapse(2) schedule(static, 17)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) to[y][x] = step(from, y, x);
#pragma omp single
        {
            unsigned char(*t)[W] = from;
            from = to;
            to = t;
        }
    }
#pragma omp parallel for reduction(+ : alive)
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) alive += from[y][x];
    // The serial run, in the third board and what is now free of the other two.
    unsigned char(*a)[W] = board[2], (*b)[W] = to;
    for (int g = 0; g < GENERATIONS; g++) {
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) b[y][x] = step(a, y, x);
        unsigned char(*t)[W] = a;
        a = b;
        b = t;
    }
    int want = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            CHECK_EQ(from[y][x], a[y][x]);
            want += a[y][x];
        }
    CHECK_EQ(alive, want);
    return verdict();
}
