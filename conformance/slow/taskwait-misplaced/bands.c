// Sharpens the bands of a satellite picture, a task each. The taskwait in the loop makes the tasks run one by one.
// slow: cause: taskwait-misplaced
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: taskwait after the loop
// slow: flags: -lm
#include "../slow.h"

enum { BANDS = 8, SIDE = 128 };

static float band[BANDS][SIDE][SIDE], sharp[BANDS][SIDE][SIDE], best[SIDE][SIDE];

static void receive(long pass) {
#pragma omp parallel for
    for (int b = 0; b < BANDS; b++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) band[b][y][x] = (float)((x * (b + 3) + y * 5 + pass) % 61);
}

static void sharpen(int b) {
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++) {
            float around = band[b][y - 1][x] + band[b][y + 1][x] + band[b][y][x - 1] + band[b][y][x + 1];
            float edge = 4.0f * band[b][y][x] - around;
            sharp[b][y][x] = band[b][y][x] + 0.5f * edge / (1.0f + fabsf(edge));
        }
}

static void sharpen_all(void) {
#pragma omp parallel
#pragma omp single
    {
        for (int b = 0; b < BANDS; b += 2) {
#pragma omp task
            sharpen(b);
            sharpen(b + 1);
        }
#pragma omp taskwait
    }
}

// Bright and dark bands come into one range.
static void equalise(void) {
#pragma omp parallel
#pragma omp single
    {
        for (int b = 0; b < BANDS; b++) {
#pragma omp task
            for (int y = 0; y < SIDE; y++)
                for (int x = 0; x < SIDE; x++) sharp[b][y][x] /= 1.0f + fabsf(sharp[b][y][x]) / (float)(b + 1);
#ifndef MENDED
#pragma omp taskwait // slow: here
#endif
        }
#pragma omp taskwait
    }
}

// The sharpest band of each pixel.
static double choose(void) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            float most = 0.0f;
            for (int b = 0; b < BANDS; b++) most = fmaxf(most, sharp[b][y][x]);
            best[y][x] = most;
            sum += (int)most;
        }
    return sum;
}

int main(int argc, char **argv) {
    long passes = repeated(argc, argv, 2200);
    double sum = 0.0;
    for (long pass = 0; pass < passes; pass++) {
        receive(pass);
        sharpen_all();
        equalise();
        sum += choose();
    }
    return finish(sum > 0.0, sum);
}
