// Eliminates the fronts of a sparse matrix. Most fronts have a few dozen entries, and each gets a parallel region.
// slow: cause: region-too-short
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: if clause
#include "../slow.h"

enum { FRONTS = 400, MOST = 40000, LARGE = 2000 };

static int length_of[FRONTS];
static double entry[MOST], pivot_row[MOST];

static void analyse(void) {
    for (int front = 0; front < FRONTS; front++)
        length_of[front] = front % 40 == 39 ? MOST : 24 + (int)(mixed(front) % 80);
    for (int i = 0; i < MOST; i++) {
        entry[i] = fraction(i);
        pivot_row[i] = fraction(i + MOST) * 0.01;
    }
}

static void eliminate(int front) {
    int length = length_of[front];
    double factor = entry[front] / (1.0 + entry[front] * entry[front]);
#ifdef MENDED
#pragma omp parallel for if (length > LARGE)
#else
#pragma omp parallel for // slow: here
#endif
    for (int i = 0; i < length; i++) entry[i] = entry[i] - factor * pivot_row[i];
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 1400);
    double sum = 0.0;
    analyse();
    for (long round = 0; round < rounds; round++) {
        for (int front = 0; front < FRONTS; front++) eliminate(front);
        sum += entry[round % MOST] > 0.0;
    }
    for (int i = 0; i < MOST; i++) sum += entry[i];
    return finish(sum < 0.0 || sum > 0.0, sum);
}
