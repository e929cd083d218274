// A filter for film: blur, then correct each pixel. The correction hands out its cheap iterations one by one.
// slow: cause: chunk-too-small
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: larger chunk
// slow: flags: -lm
#include "../slow.h"

enum { WIDTH = 512, HEIGHT = 256, PIXELS = WIDTH * HEIGHT };

static unsigned char table[256], likeness[256];
static unsigned char frame[PIXELS], soft[PIXELS], shown[PIXELS];

static void prepare(void) {
    for (int level = 0; level < 256; level++) {
        table[level] = (unsigned char)(255.0 * pow(level / 255.0, 1.0 / 2.2));
        likeness[level] = (unsigned char)(255.0 * exp(-level / 30.0));
    }
}

static void receive(long number) {
#pragma omp parallel for
    for (int pixel = 0; pixel < PIXELS; pixel++)
        frame[pixel] = (unsigned char)((pixel * 7 + number * 13 + (pixel >> 9) * 31) >> 2);
}

// Each pixel becomes the mean of those neighbours that resemble it.
static void blur(void) {
#pragma omp parallel for
    for (int line = 1; line < HEIGHT - 1; line++)
        for (int column = 1; column < WIDTH - 1; column++) {
            int own = frame[line * WIDTH + column], sum = 0, weights = 1;
            for (int dy = -1; dy <= 1; dy++)
                for (int dx = -1; dx <= 1; dx++) {
                    int other = frame[(line + dy) * WIDTH + column + dx], weight = likeness[abs(own - other)];
                    sum += weight * other;
                    weights += weight;
                }
            soft[line * WIDTH + column] = (unsigned char)(sum / weights);
        }
}

static void correct(void) {
#ifdef MENDED
#pragma omp parallel for schedule(dynamic, 4096)
#else
#pragma omp parallel for schedule(dynamic, 1) // slow: here
#endif
    for (int pixel = 0; pixel < PIXELS; pixel++) shown[pixel] = table[soft[pixel]];
}

static long brightness(void) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int pixel = 0; pixel < PIXELS; pixel++) sum += shown[pixel];
    return sum;
}

// The contrast of each tile, and how many tiles have too little.
static long flat_tiles(void) {
    long count = 0;
#pragma omp parallel for collapse(2) reduction(+ : count)
    for (int top = 0; top < HEIGHT; top += 16)
        for (int left = 0; left < WIDTH; left += 16) {
            int least = 255, most = 0;
            for (int line = top; line < top + 16; line++)
                for (int column = left; column < left + 16; column++) {
                    int pixel = shown[line * WIDTH + column];
                    least = pixel < least ? pixel : least;
                    most = pixel > most ? pixel : most;
                }
            count += most - least < 40;
        }
    return count;
}

int main(int argc, char **argv) {
    long frames = repeated(argc, argv, 400), light = 0;
    prepare();
    for (long number = 0; number < frames; number++) {
        receive(number);
        blur();
        correct();
        light += brightness() + flat_tiles();
    }
    return finish(light > 0, (double)light / (double)frames);
}
