// Heat on a plate with equal rows: a static loop, one region for many steps.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
#include "../slow.h"

enum { SIDE = 400 };

static double plate[2][SIDE][SIDE];

static void start(void) {
#pragma omp parallel for
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) plate[0][y][x] = plate[1][y][x] = fraction(y * SIDE + x);
}

static void advance(int steps) {
#pragma omp parallel
    for (int step = 0; step < steps; step++) {
        int from = step & 1;
#pragma omp for schedule(static)
        for (int y = 1; y < SIDE - 1; y++)
            for (int x = 1; x < SIDE - 1; x++) {
                double across = plate[from][y][x - 1] + plate[from][y][x + 1];
                double along = plate[from][y - 1][x] + plate[from][y + 1][x];
                plate[1 - from][y][x] = 0.5 * plate[from][y][x] + 0.125 * (across + along);
            }
    }
}

static double total(void) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) sum += plate[0][y][x];
    return sum;
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 120);
    double sum = 0.0;
    start();
    for (long round = 0; round < rounds; round++) {
        advance(50);
        sum += total();
    }
    return finish(sum > 0.0, sum);
}
