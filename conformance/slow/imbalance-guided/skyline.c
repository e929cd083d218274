// Products with a skyline matrix whose first rows are the longest. A guided loop also has its largest chunk first.
// slow: cause: imbalance-guided
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: schedule(dynamic)
// slow: flags: -lm
#include "../slow.h"

enum { ROWS = 1200 };

static int length_of[ROWS];
static float *row[ROWS];
static double from[ROWS], to[ROWS];

static void build(void) {
#pragma omp parallel for schedule(dynamic, 8)
    for (int i = 0; i < ROWS; i++) {
        double left = (double)(ROWS - i) / ROWS;
        length_of[i] = 1 + (int)(ROWS * left * left * left * 0.9);
        row[i] = malloc(length_of[i] * sizeof *row[i]);
        for (int j = 0; j < length_of[i]; j++) row[i][j] = (float)fraction((uint64_t)i * ROWS + j) / ROWS;
    }
}

static void product(void) {
#ifdef MENDED
#pragma omp parallel for schedule(dynamic, 8)
#else
#pragma omp parallel for schedule(guided) // slow: here
#endif
    for (int i = 0; i < ROWS; i++) {
        double sum = 0.0;
        for (int j = 0; j < length_of[i]; j++) sum += row[i][j] * from[j];
        to[i] = sum;
    }
}

static double norm(void) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < ROWS; i++) sum += to[i] * to[i];
    return sqrt(sum);
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 3500);
    double size = 0.0;
    build();
    for (int i = 0; i < ROWS; i++) from[i] = 1.0;
    for (long round = 0; round < rounds; round++) {
        product();
        size = norm();
        for (int i = 0; i < ROWS; i++) from[i] = to[i] / size;
    }
    for (int i = 0; i < ROWS; i++) free(row[i]);
    return finish(size > 0.05 && size < 1.0, size);
}
