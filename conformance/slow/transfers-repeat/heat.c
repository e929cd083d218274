// Heat on a plate, computed by a device. Every step copies the plate to the device and back.
// slow: cause: transfers-repeat
// slow: compilers: clang
// slow: threads: 2
// slow: try: target data
// slow: flags: -fopenmp-targets=x86_64-pc-linux-gnu
// slow: note: needs a device; with these flags the host is one, with memory of its own.
#include "../slow.h"

enum { SIDE = 512, SIZE = SIDE * SIDE };

static double plate[SIZE], next[SIZE];

static void start(void) {
#pragma omp parallel for
    for (int i = 0; i < SIZE; i++) plate[i] = next[i] = 100.0 * fraction(i);
}

static void relax(void) {
#pragma omp target teams distribute parallel for map(tofrom : plate, next) // slow: here
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            int i = y * SIDE + x;
            next[i] = 0.25 * (plate[i - 1] + plate[i + 1] + plate[i - SIDE] + plate[i + SIDE]);
        }
#pragma omp target teams distribute parallel for map(tofrom : plate, next) // slow: or here
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            int i = y * SIDE + x;
            plate[i] = 0.25 * (next[i - 1] + next[i + 1] + next[i - SIDE] + next[i + SIDE]);
        }
}

static void advance(long steps) {
#ifdef MENDED
#pragma omp target data map(tofrom : plate, next)
#endif
    for (long step = 0; step < steps; step++) relax();
}

int main(int argc, char **argv) {
    long steps = repeated(argc, argv, 1200);
    double sum = 0.0;
    start();
    advance(steps);
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < SIZE; i++) sum += plate[i];
    return finish(sum > 0.0, sum);
}
