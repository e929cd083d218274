// Shrinks pictures to three sizes, a task each. A taskgroup around every picture makes the next picture wait.
// slow: cause: taskgroup-needless
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: no taskgroup in the loop
#include "../slow.h"

enum { PICTURES = 24, SIDE = 256 };

static unsigned char picture[PICTURES][SIDE][SIDE];
static unsigned char half[PICTURES][SIDE / 2][SIDE / 2], quarter[PICTURES][SIDE / 4][SIDE / 4];
static long brightness[PICTURES];

static void receive(void) {
#pragma omp parallel for
    for (int p = 0; p < PICTURES; p++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) picture[p][y][x] = (unsigned char)mixed((p * SIDE + y) * SIDE + x);
}

// The median-like mean of a square: without its brightest and its darkest pixel.
static unsigned char shrink_square(int p, int y, int x, int size) {
    int sum = 0, most = 0, least = 255;
    for (int dy = 0; dy < size; dy++)
        for (int dx = 0; dx < size; dx++) {
            int pixel = picture[p][y + dy][x + dx];
            sum += pixel;
            most = pixel > most ? pixel : most;
            least = pixel < least ? pixel : least;
        }
    return (unsigned char)((sum - most - least) / (size * size - 2));
}

static void shrink_half(int p) {
    for (int y = 0; y < SIDE / 2; y++)
        for (int x = 0; x < SIDE / 2; x++) half[p][y][x] = shrink_square(p, 2 * y, 2 * x, 2);
}

static void shrink_quarter(int p) {
    for (int y = 0; y < SIDE / 4; y += 2)
        for (int x = 0; x < SIDE / 4; x += 2) quarter[p][y][x] = shrink_square(p, 4 * y, 4 * x, 4);
}

static void weigh(int p) {
    long sum = 0;
    for (int y = 0; y < SIDE; y += 4)
        for (int x = 0; x < SIDE; x++) sum += picture[p][y][x] % 10;
    brightness[p] = sum;
}

static void shrink_all(void) {
#pragma omp parallel
#pragma omp single
    for (int p = 0; p < PICTURES; p++) {
#ifndef MENDED
#pragma omp taskgroup // slow: here
#endif
        {
#pragma omp task
            weigh(p);
#pragma omp task
            shrink_quarter(p);
#pragma omp task
            shrink_half(p);
        }
    }
}

// How alike a picture and its successor are.
static long likeness(int step) {
    long same = 0;
#pragma omp parallel for reduction(+ : same)
    for (int p = 0; p < PICTURES; p++)
        for (int y = 0; y < SIDE / 2; y += step)
            for (int x = 0; x < SIDE / 2; x++) same += half[p][y][x] / 16 == half[(p + 1) % PICTURES][y][x] / 16;
    return same;
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 1000), sum = 0;
    receive();
    for (long round = 0; round < rounds; round++) {
        shrink_all();
        sum += likeness(8);
#pragma omp parallel for reduction(+ : sum)
        for (int p = 0; p < PICTURES; p++) sum += half[p][5][round % (SIDE / 2)] + quarter[p][2][2] + brightness[p];
    }
    return finish(sum > 0, (double)sum);
}
