// Smooths the four planes of a picture in two sections. One section has three of the planes.
// slow: cause: unequal-sections
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: equal sections
#include "../slow.h"

enum { SIDE = 160 };

static float red[SIDE][SIDE], green[SIDE][SIDE], blue[SIDE][SIDE], alpha[SIDE][SIDE], grey[SIDE][SIDE];

static void expose(long number) {
#pragma omp parallel for
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            red[y][x] = (float)((x * 3 + y + number) % 50);
            green[y][x] = (float)((x + y * 5 + number) % 40);
            blue[y][x] = (float)((x * y + number) % 30);
            alpha[y][x] = (float)((x + y + number) % 20);
        }
}

// One pass of Gauss and Seidel, in place.
static void smooth(float plane[SIDE][SIDE]) {
    for (int y = 1; y < SIDE - 1; y++)
        for (int x = 1; x < SIDE - 1; x++)
            plane[y][x] = 0.25f * (plane[y - 1][x] + plane[y + 1][x] + plane[y][x - 1] + plane[y][x + 1]);
}

static void smooth_all(void) {
#pragma omp parallel sections // slow: here
    {
#pragma omp section // slow: or here
        {
            smooth(red);
            smooth(green);
#ifndef MENDED
            smooth(blue); // slow: or here
#endif
        }
#pragma omp section
        {
#ifdef MENDED
            smooth(blue);
#endif
            smooth(alpha);
        }
    }
}

static double mix(void) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++) {
            grey[y][x] = (0.3f * red[y][x] + 0.6f * green[y][x] + 0.1f * blue[y][x]) * (alpha[y][x] > 5.0f);
            sum += (int)grey[y][x];
        }
    return sum;
}

// Where the picture is transparent, its colours do not matter.
static void clear(void) {
#pragma omp parallel for
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            if (alpha[y][x] < 2.0f) red[y][x] = green[y][x] = blue[y][x] = 0.0f;
}

int main(int argc, char **argv) {
    long pictures = repeated(argc, argv, 3000);
    double sum = 0.0;
    for (long number = 0; number < pictures; number++) {
        expose(number);
        smooth_all();
        clear();
        sum += mix();
    }
    return finish(sum > 0.0, sum);
}
