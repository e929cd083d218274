// Scales the rows of a matrix on a device, with a kernel for each short row.
// slow: cause: kernels-too-small
// slow: compilers: clang
// slow: threads: 2
// slow: try: one kernel for all rows
// slow: flags: -fopenmp-targets=x86_64-pc-linux-gnu
// slow: note: needs a device; with these flags the host is one, with memory of its own.
#include "../slow.h"

enum { ROWS = 256, COLUMNS = 128 };

static double matrix[ROWS][COLUMNS], factor[ROWS];

static void start(void) {
#pragma omp parallel for
    for (int row = 0; row < ROWS; row++) {
        factor[row] = 1.0 / (1.0 + fraction(row));
        for (int column = 0; column < COLUMNS; column++) matrix[row][column] = fraction(row * COLUMNS + column);
    }
}

static void scale(void) {
#ifdef MENDED
#pragma omp target teams distribute parallel for collapse(2)
    for (int row = 0; row < ROWS; row++)
#else
    for (int row = 0; row < ROWS; row++)
#pragma omp target teams distribute parallel for // slow: here
#endif
        for (int column = 0; column < COLUMNS; column++)
            matrix[row][column] = matrix[row][column] * factor[row] + 1.0 / (1.0 + column);
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 1200);
    double sum = 0.0;
    start();
#pragma omp target data map(tofrom : matrix) map(to : factor)
    for (long round = 0; round < rounds; round++) scale();
    for (int row = 0; row < ROWS; row++) sum += matrix[row][row % COLUMNS];
    return finish(sum > 0.0, sum);
}
