// Two independent fields on triangles that lie the opposite way. The barrier between the loops makes both waits real.
// slow: cause: needless-barrier
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: nowait
// slow: flags: -lm
#include "../slow.h"

enum { SIDE = 256 };

static double electric[SIDE][SIDE], magnetic[SIDE][SIDE];
static double charge[SIDE], current[SIDE];

static double soften(double x) { return x / (1.0 + 0.1 * x * x); }

static void start(void) {
#pragma omp parallel for
    for (int y = 0; y < SIDE; y++) {
        charge[y] = fraction(y) + 0.5;
        current[y] = fraction(y + SIDE) + 0.5;
        for (int x = 0; x < SIDE; x++) electric[y][x] = magnetic[y][x] = fraction(y * SIDE + x);
    }
}

static void advance(void) {
#pragma omp parallel
    {
#ifdef MENDED
#pragma omp for schedule(static) nowait
#else
#pragma omp for schedule(static) // slow: here
#endif
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x <= y; x++) electric[y][x] = soften(electric[y][x] + 0.01 * charge[y]);
#pragma omp for schedule(static)
        for (int y = 0; y < SIDE; y++)
            for (int x = y; x < SIDE; x++) magnetic[y][x] = soften(magnetic[y][x] + 0.01 * current[y]);
    }
}

static double energy(void) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) sum += electric[y][x] * electric[y][x] + magnetic[y][x] * magnetic[y][x];
    return sum;
}

int main(int argc, char **argv) {
    long steps = repeated(argc, argv, 11000);
    double sum = 0.0;
    start();
    for (long step = 0; step < steps; step++) {
        advance();
        if (step % 8 == 0) sum += energy();
    }
    return finish(isfinite(sum) && sum > 0.0, sum);
}
