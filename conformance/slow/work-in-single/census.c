// Heat on a plate. In each step one thread classifies all cells in a single construct, and the others wait.
// slow: cause: work-in-single
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: for instead of single
#include "../slow.h"

enum { SIDE = 192, CLASSES = 8 };

static double heat[SIDE][SIDE], next[SIDE][SIDE];
static unsigned char class_of[SIDE][SIDE];

static void start(void) {
#pragma omp parallel for
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) heat[y][x] = next[y][x] = 100.0 * fraction(y * SIDE + x);
}

static void relax(double from[SIDE][SIDE], double to[SIDE][SIDE], int y) {
    for (int x = 1; x < SIDE - 1; x++) {
        double flow = from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1] - 4.0 * from[y][x];
        to[y][x] = from[y][x] + 0.2 * flow / (1.0 + 0.001 * from[y][x]);
    }
}

static void classify(int y) {
    for (int x = 0; x < SIDE; x++) class_of[y][x] = (unsigned char)((int)(1e4 / (heat[y][x] + 3.0)) % CLASSES);
}

static void step(void) {
#pragma omp parallel
    {
#pragma omp for
        for (int y = 1; y < SIDE - 1; y++) relax(heat, next, y);
#pragma omp for
        for (int y = 1; y < SIDE - 1; y++) relax(next, heat, y);
#ifdef MENDED
#pragma omp for
#else
#pragma omp single // slow: here
#endif
        for (int y = 0; y < SIDE; y++) classify(y);
    }
}

static long census(void) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) sum += class_of[y][x];
    return sum;
}

// How many cells are hotter than all neighbours.
static long peaks(void) {
    long count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            double own = heat[y][x];
            int over_lines = own > heat[y - 1][x] && own > heat[y + 1][x];
            count += over_lines && own > heat[y][x - 1] && own > heat[y][x + 1];
        }
    return count;
}

// A fire in the middle keeps the plate from cooling.
static void stoke(void) {
#pragma omp parallel for
    for (int y = SIDE / 3; y < 2 * SIDE / 3; y++) heat[y][SIDE / 2] = 100.0;
}

int main(int argc, char **argv) {
    long steps = repeated(argc, argv, 7000), sum = 0;
    start();
    for (long number = 0; number < steps; number++) {
        step();
        sum += census() + peaks();
        stoke();
    }
    return finish(sum > 0, (double)sum);
}
