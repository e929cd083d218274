// Conjugate gradients with a sparse matrix of equal rows; all products and sums share one region for each step.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
// slow: flags: -lm
#include "../slow.h"

enum { SIDE = 320, ROWS = SIDE * SIDE };

static double x[ROWS], residual[ROWS], direction[ROWS], image[ROWS];
static int neighbour[ROWS][4];

static void start(void) {
#pragma omp parallel for
    for (int row = 0; row < ROWS; row++) {
        int column = row % SIDE, line = row / SIDE;
        neighbour[row][0] = column > 0 ? row - 1 : row;
        neighbour[row][1] = column < SIDE - 1 ? row + 1 : row;
        neighbour[row][2] = line > 0 ? row - SIDE : row;
        neighbour[row][3] = line < SIDE - 1 ? row + SIDE : row;
    }
}

static void reset(long round) {
#pragma omp parallel for
    for (int row = 0; row < ROWS; row++) {
        x[row] = 0.0;
        residual[row] = direction[row] = fraction(row + round * ROWS) - 0.5;
    }
}

// One step; returns the square of the new residual.
static double step(double square) {
    double along = 0.0, next = 0.0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : along)
        for (int row = 0; row < ROWS; row++) {
            double sum = 4.5 * direction[row];
            for (int k = 0; k < 4; k++) sum -= direction[neighbour[row][k]];
            image[row] = sum;
            along += sum * direction[row];
        }
        double length = square / along;
#pragma omp for reduction(+ : next)
        for (int row = 0; row < ROWS; row++) {
            x[row] += length * direction[row];
            residual[row] -= length * image[row];
            next += residual[row] * residual[row];
        }
        double turn = next / square;
#pragma omp for
        for (int row = 0; row < ROWS; row++) direction[row] = residual[row] + turn * direction[row];
    }
    return next;
}

static double solve(void) {
    double square = 0.0;
#pragma omp parallel for reduction(+ : square)
    for (int row = 0; row < ROWS; row++) square += residual[row] * residual[row];
    for (int number = 0; number < 60; number++) square = step(square);
    return sqrt(square);
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 65);
    double last = 0.0;
    start();
    for (long round = 0; round < rounds; round++) {
        reset(round);
        last = solve();
    }
    return finish(last < 1e-3, floor(x[ROWS / 2] * 1e6));
}
