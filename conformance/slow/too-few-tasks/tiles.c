// Rotates a picture in three tiles, a task each. Two threads take two of the tiles, then one thread takes the third.
// slow: cause: too-few-tasks
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: more tasks
// slow: flags: -lm
#include "../slow.h"

#ifdef MENDED
enum { TILES = 32 };
#else
enum { TILES = 3 };
#endif
enum { SIDE = 384 };

static float picture[SIDE][SIDE], turned[SIDE][SIDE];

static void paint(void) {
#pragma omp parallel for
    for (int line = 0; line < SIDE; line++)
        for (int column = 0; column < SIDE; column++)
            picture[line][column] = (float)(fraction(line * SIDE + column) + (line / 16 + column / 16) % 2);
}

// Bilinear interpolation at a point; black outside.
static float sample(double x, double y) {
    int column = (int)floor(x), line = (int)floor(y);
    if (column < 0 || line < 0 || column >= SIDE - 1 || line >= SIDE - 1) return 0.0f;
    double right = x - column, down = y - line;
    double top = picture[line][column] * (1 - right) + picture[line][column + 1] * right;
    double bottom = picture[line + 1][column] * (1 - right) + picture[line + 1][column + 1] * right;
    return (float)(top * (1 - down) + bottom * down);
}

static void turn(int from, int to, double angle) {
    double c = cos(angle), s = sin(angle), half = SIDE / 2.0;
    for (int line = from; line < to; line++)
        for (int column = 0; column < SIDE; column++) {
            double x = column - half, y = line - half;
            turned[line][column] = sample(c * x - s * y + half, s * x + c * y + half);
        }
}

static double darkness(void) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int line = 0; line < SIDE; line++)
        for (int column = 0; column < SIDE; column++) sum += turned[line][column] < 0.5f;
    return sum;
}

// The sharpness of the turned picture: the mean step between neighbours.
static double sharpness(void) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int line = 1; line < SIDE; line++)
        for (int column = 1; column < SIDE; column++) {
            float own = turned[line][column];
            sum += (own > turned[line - 1][column]) + (own > turned[line][column - 1]);
        }
    return sum / (SIDE * SIDE);
}

int main(int argc, char **argv) {
    long frames = repeated(argc, argv, 800);
    double dark = 0.0;
    paint();
    for (long frame = 0; frame < frames; frame++) {
#pragma omp parallel
#pragma omp single
        for (int tile = 0; tile < TILES; tile++) {
#pragma omp task // slow: here
            turn(SIDE * tile / TILES, SIDE * (tile + 1) / TILES, frame * 0.01);
        }
        dark += darkness() + floor(sharpness());
    }
    return finish(dark > 0.0, dark);
}
