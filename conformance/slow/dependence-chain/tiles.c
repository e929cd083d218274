// Relaxes tiles of a field. The tasks name the whole field in their dependences, though each one writes its own tile.
// slow: cause: dependence-chain
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: depend on the tile
// slow: flags: -lm
#include "../slow.h"

enum { TILES = 16, SIDE = 96 };

static double field[TILES][SIDE][SIDE], source[TILES][SIDE][SIDE];
static double residual[TILES];

static void start(void) {
#pragma omp parallel for
    for (int tile = 0; tile < TILES; tile++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) {
                field[tile][y][x] = 0.0;
                source[tile][y][x] = fraction((tile * SIDE + y) * SIDE + x);
            }
}

static void relax(int tile) {
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            double across = field[tile][y][x - 1] + field[tile][y][x + 1];
            double along = field[tile][y - 1][x] + field[tile][y + 1][x];
            field[tile][y][x] = 0.25 * (across + along + source[tile][y][x]);
        }
}

static void judge(int tile) {
    double sum = 0.0;
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) sum += fabs(field[tile][y][x] - field[tile][y][x - 1]);
    residual[tile] = sum;
}

static void sweep(void) {
#pragma omp parallel
#pragma omp single
    for (int tile = 0; tile < TILES; tile++) {
#ifdef MENDED
#pragma omp task depend(inout : field[tile])
#else
#pragma omp task depend(inout : field) // slow: here
#endif
        relax(tile);
#pragma omp task depend(in : field[tile]) depend(out : residual[tile])
        judge(tile);
    }
}

static double change(void) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int tile = 0; tile < TILES; tile++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) sum += floor(field[tile][y][x] * 1e4);
    return sum;
}

// The middle of each tile is warmed a little.
static void warm(void) {
#pragma omp parallel for
    for (int tile = 0; tile < TILES; tile++)
        for (int y = SIDE / 4; y < SIDE / 2; y++)
            for (int x = SIDE / 4; x < SIDE / 2; x++) source[tile][y][x] = 0.99 * source[tile][y][x] + 0.01;
}

int main(int argc, char **argv) {
    long sweeps = repeated(argc, argv, 1500);
    double sum = 0.0;
    start();
    for (long pass = 0; pass < sweeps; pass++) {
        sweep();
        if (pass % 4 == 0) sum += change();
        if (pass % 16 == 0) warm();
    }
    return finish(sum > 0.0 && residual[0] > 0.0, sum + floor(residual[TILES - 1] * 1e3));
}
