// Products of a matrix with vectors. The loop over the columns is parallel, not the loop over the rows.
// slow: cause: wrong-loop-parallel
// slow: also: region-too-short
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: outer loop
// slow: flags: -lm
#include "../slow.h"

enum { SIDE = 512 };

static double matrix[SIDE][SIDE], from[SIDE], to[SIDE];

static void start(void) {
#pragma omp parallel for
    for (int row = 0; row < SIDE; row++) {
        from[row] = 1.0;
        for (int column = 0; column < SIDE; column++) matrix[row][column] = fraction(row * SIDE + column);
    }
}

static void product(void) {
#ifdef MENDED
#pragma omp parallel for
#endif
    for (int row = 0; row < SIDE; row++) {
        double sum = 0.0;
#ifndef MENDED
#pragma omp parallel for reduction(+ : sum) // slow: here
#endif
        for (int column = 0; column < SIDE; column++) sum += matrix[row][column] * from[column];
        to[row] = sum;
    }
}

static double normalise(void) {
    double square = 0.0;
#pragma omp parallel
    {
#pragma omp for reduction(+ : square)
        for (int row = 0; row < SIDE; row++) square += to[row] * to[row];
#pragma omp for
        for (int row = 0; row < SIDE; row++) from[row] = to[row] / sqrt(square);
    }
    return sqrt(square);
}

// Gershgorin's bound, from the sums of the rows.
static double bound(void) {
    double most = 0.0;
#pragma omp parallel for reduction(max : most)
    for (int row = 0; row < SIDE; row++) {
        double sum = 0.0;
        for (int column = 0; column < SIDE; column++) sum += fabs(matrix[row][column]);
        most = fmax(most, sum);
    }
    return most;
}

// The matrix ages a little after each round.
static void age(long round) {
#pragma omp parallel for
    for (int row = 0; row < SIDE; row++) matrix[row][(row * 7 + round) % SIDE] *= 0.999;
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 1200);
    double size = 0.0;
    int good = 1;
    start();
    for (long round = 0; round < rounds; round++) {
        product();
        size = normalise();
        good = good && (round == 0 || bound() >= size);
        age(round);
    }
    return finish(good && size > SIDE / 4.0 && size < SIDE, size);
}
