// Eliminates the fronts of a sparse matrix. Most fronts have a few dozen entries, and each gets a parallel region.
// slow: cause: region-too-short
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: if clause
#include "../slow.h"

enum { FRONTS = 400, MOST = 40000, LARGE = 2000 };

static int length_of[FRONTS];
static double entry[MOST], pivot_row[MOST], correction[MOST];

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

// The largest entry decides whether the factor must be scaled.
static double largest(void) {
    double most = 0.0;
#pragma omp parallel for reduction(max : most)
    for (int i = 0; i < MOST; i++) {
        double size = entry[i] < 0.0 ? -entry[i] : entry[i];
        most = size > most ? size : most;
    }
    return most;
}

static void rescale(double factor) {
#pragma omp parallel for
    for (int i = 0; i < MOST; i++) entry[i] = entry[i] * factor / (1.0 + 1e-3 * entry[i] * entry[i]);
}

// Iterative refinement with the neighbours in the pivot row.
static void refine(void) {
#pragma omp parallel
    {
#pragma omp for
        for (int i = 1; i < MOST - 1; i++)
            correction[i] = 0.25 * (entry[i - 1] + entry[i + 1] - 2.0 * entry[i]) / (1.0 + pivot_row[i]);
#pragma omp for
        for (int i = 1; i < MOST - 1; i++) entry[i] += 0.1 * correction[i];
    }
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 1400);
    double sum = 0.0;
    analyse();
    for (long round = 0; round < rounds; round++) {
        for (int front = 0; front < FRONTS; front++) eliminate(front);
        refine();
        if (largest() > 0.5) rescale(0.9);
        sum += entry[round % MOST] > 0.0;
    }
    for (int i = 0; i < MOST; i++) sum += entry[i];
    return finish(sum < 0.0 || sum > 0.0, sum);
}
