// Two models run side by side, a thread each. Their own regions are inactive, because the CPUs are taken.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
#include <omp.h>

#include "../slow.h"

enum { MODELS = 2, SIDE = 128 };

static double field[MODELS][SIDE][SIDE], next[MODELS][SIDE][SIDE];

static void start(int model) {
#pragma omp parallel for
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) field[model][y][x] = next[model][y][x] = fraction((model * SIDE + y) * SIDE + x);
}

static void row(double from[SIDE][SIDE], double to[SIDE][SIDE], int y) {
    for (int x = 1; x < SIDE - 1; x++)
        to[y][x] = 0.2 * (from[y][x] + from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1]);
}

static void advance(int model) {
#pragma omp parallel
    for (int step = 0; step < 20; step++) {
#pragma omp for
        for (int y = 1; y < SIDE - 1; y++) row(field[model], next[model], y);
#pragma omp for
        for (int y = 1; y < SIDE - 1; y++) row(next[model], field[model], y);
    }
}

int main(int argc, char **argv) {
    long hours = repeated(argc, argv, 1000);
    omp_set_max_active_levels(1);
    start(0);
    start(1);
    for (long hour = 0; hour < hours; hour++) {
#pragma omp parallel for
        for (int model = 0; model < MODELS; model++) advance(model);
    }
    double middle = field[0][SIDE / 2][SIDE / 2] + field[1][SIDE / 2][SIDE / 2];
    return finish(middle > 0.0, middle);
}
