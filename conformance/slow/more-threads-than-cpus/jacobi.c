// Jacobi's method with a barrier after each short sweep, started with more threads than the machine has CPUs.
// slow: cause: more-threads-than-cpus
// slow: compilers: gcc clang
// slow: threads: 8
// slow: mended-env: OMP_NUM_THREADS=2
// slow: try: fewer threads
// slow: flags: -lm
// slow: note: For a machine with 2 CPUs.
#include "../slow.h"

enum { SIDE = 128 };

static double field[2][SIDE][SIDE];

static void start(void) {
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) field[0][y][x] = field[1][y][x] = y == 0 ? 100.0 : 0.0;
}

static void row(int from, int y) {
    for (int x = 1; x < SIDE - 1; x++) {
        double across = field[from][y][x - 1] + field[from][y][x + 1];
        double along = field[from][y - 1][x] + field[from][y + 1][x];
        field[1 - from][y][x] = 0.25 * (across + along);
    }
}

static void sweeps(int count) {
#pragma omp parallel // slow: here
    for (int sweep = 0; sweep < count; sweep++) {
#pragma omp for // slow: or here
        for (int y = 1; y < SIDE - 1; y++) row(sweep & 1, y);
    }
}

static double change(void) {
    double most = 0.0;
#pragma omp parallel for reduction(max : most)
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) most = fmax(most, fabs(field[0][y][x] - field[1][y][x]));
    return most;
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 120);
    double last = 0.0;
    start();
    for (long round = 0; round < rounds; round++) {
        sweeps(400);
        last = change();
    }
    double middle = field[0][SIDE / 2][SIDE / 2];
    return finish(last < 1.0, middle);
}
