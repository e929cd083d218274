// Pictures of the upper half of the Mandelbrot set. The costly rows come last, and one large chunk holds most of them.
// slow: cause: chunk-too-large
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: smaller chunk
#include "../slow.h"

enum { WIDTH = 240, HEIGHT = 240, LIMIT = 150 };

static unsigned char picture[HEIGHT][WIDTH];

static int escape(double re, double im) {
    double x = 0.0, y = 0.0;
    int steps = 0;
    while (steps < LIMIT && x * x + y * y < 4.0) {
        double next = x * x - y * y + re;
        y = 2.0 * x * y + im;
        x = next;
        steps++;
    }
    return steps;
}

static void draw(double shift) {
#ifdef MENDED
#pragma omp parallel for schedule(dynamic, 4)
#else
#pragma omp parallel for schedule(dynamic, 80) // slow: here
#endif
    for (int line = 0; line < HEIGHT; line++)
        for (int column = 0; column < WIDTH; column++)
            picture[line][column] =
                (unsigned char)escape(-2.0 + 2.6 * column / WIDTH + shift, -1.3 + 1.3 * line / HEIGHT);
}

static long inside(void) {
    long count = 0;
#pragma omp parallel for reduction(+ : count)
    for (int line = 0; line < HEIGHT; line++)
        for (int column = 0; column < WIDTH; column++) count += picture[line][column] == LIMIT;
    return count;
}

int main(int argc, char **argv) {
    long frames = repeated(argc, argv, 150), area = 0;
    for (long frame = 0; frame < frames; frame++) {
        draw((double)frame / frames * 0.01);
        area += inside();
    }
    return finish(area > 0, (double)area);
}
