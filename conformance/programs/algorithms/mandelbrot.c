// The Mandelbrot set by rows of very uneven cost, dynamic, against the serial image.
// OpenMP 5.1, 2.11.4
#include "check.h"

enum { W = 64, H = 48 };

static int escape(int column, int row) {
    double cr = 3.0 * column / W - 2.2, ci = 2.4 * row / H - 1.2, r = 0, i = 0;
    int n = 0;
    for (; n < 200 && r * r + i * i < 4; n++) {
        double t = r * r - i * i + cr;
        i = 2 * r * i + ci;
        r = t;
    }
    return n;
}

int main(void) {
    static int image[H][W];
    long inside = 0, want = 0;
    for (int round = 0; round < 3; round++) {
        inside = 0;
#pragma omp parallel for schedule(dynamic) reduction(+ : inside)
        for (int row = 0; row < H; row++)
            for (int column = 0; column < W; column++) inside += (image[row][column] = escape(column, row)) == 200;
    }
    for (int row = 0; row < H; row++)
        for (int column = 0; column < W; column++) {
            CHECK_EQ(image[row][column], escape(column, row));
            want += escape(column, row) == 200;
        }
    CHECK_EQ(inside, want);
    return verdict();
}
