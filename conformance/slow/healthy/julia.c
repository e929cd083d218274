// Pictures of Julia sets: rows differ a lot, and a dynamic loop with a fitting chunk hands them out.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
#include "../slow.h"

enum { WIDTH = 300, HEIGHT = 300, LIMIT = 120 };

static unsigned char picture[HEIGHT][WIDTH];

static int escape(double x, double y, double re, double im) {
    int steps = 0;
    while (steps < LIMIT && x * x + y * y < 4.0) {
        double next = x * x - y * y + re;
        y = 2.0 * x * y + im;
        x = next;
        steps++;
    }
    return steps;
}

static void draw(double im) {
#pragma omp parallel for schedule(dynamic, 4)
    for (int line = 0; line < HEIGHT; line++)
        for (int column = 0; column < WIDTH; column++)
            picture[line][column] =
                (unsigned char)escape(3.2 * column / WIDTH - 1.6, 2.0 * line / HEIGHT - 1.0, -0.79, im);
}

static long brightness(void) {
    long sum = 0;
#pragma omp parallel for reduction(+ : sum)
    for (int line = 0; line < HEIGHT; line++)
        for (int column = 0; column < WIDTH; column++) sum += picture[line][column];
    return sum;
}

int main(int argc, char **argv) {
    long frames = repeated(argc, argv, 220), sum = 0;
    for (long frame = 0; frame < frames; frame++) {
        draw(0.15 + 0.0001 * (double)(frame % 100));
        sum += brightness();
    }
    return finish(sum > 0, (double)sum);
}
