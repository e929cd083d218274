// Heat equation on a plate, by Jacobi steps until the temperature stops changing, then a histogram by tasks.
// `cargo xtask demo` builds it with clang and traces it. It has the habits that a report should show: a convergence
// reduction in each step, rows of unequal length under a static schedule, a critical section, and a recursive task tree.
//
// usage: heat [side] [steps]        side >= 4, steps >= 1

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

enum { BINS = 16, LEAF = 4096 };

static const double TOLERANCE = 1e-4;

static double *plate(size_t side) {
    double *cells = calloc(side * side, sizeof *cells);
    if (cells == NULL) {
        fprintf(stderr, "heat: no memory for %zu x %zu cells\n", side, side);
        exit(1);
    }
    // The upper edge is kept at 100 degrees, the others at 0.
    for (size_t column = 0; column < side; column++) cells[column] = 100.0;
    return cells;
}

// The plate has the shape of an L: the lower half of its rows is half as wide. A static schedule deals out rows, so the
// threads with the upper rows have more to do, which the report shows as imbalance.
static size_t width(size_t side, size_t row) { return row < side / 2 ? side : side / 2; }

// One Jacobi step from `now` into `next`; answers the largest change of a cell.
static double step(size_t side, const double *now, double *next) {
    double change = 0.0;
#pragma omp parallel for reduction(max : change) schedule(static)
    for (size_t row = 1; row < side - 1; row++) {
        for (size_t column = 1; column < width(side, row) - 1; column++) {
            size_t at = row * side + column;
            double mean = 0.25 * (now[at - 1] + now[at + 1] + now[at - side] + now[at + side]);
            next[at] = mean;
            change = fmax(change, fabs(mean - now[at]));
        }
    }
    return change;
}

// Counts the temperatures of cells [first, last) into `bins`: halves become tasks until they are small.
static void count(const double *cells, size_t first, size_t last, long bins[BINS]) {
    if (last - first <= LEAF) {
        long mine[BINS] = {0};
        for (size_t at = first; at < last; at++) {
            int bin = (int)(cells[at] * BINS / 100.0);
            mine[bin < BINS ? bin : BINS - 1]++;
        }
#pragma omp critical(histogram)
        for (int bin = 0; bin < BINS; bin++) bins[bin] += mine[bin];
        return;
    }
    size_t middle = first + (last - first) / 2;
#pragma omp task
    count(cells, first, middle, bins);
#pragma omp task
    count(cells, middle, last, bins);
#pragma omp taskwait
}

static size_t number(const char *word, size_t least, const char *what) {
    char *end;
    unsigned long value = strtoul(word, &end, 10);
    if (*word == '-' || *end != '\0' || value < least || value > 20000) {
        fprintf(stderr, "heat: %s is '%s'; it must be a number from %zu to 20000\n", what, word, least);
        exit(1);
    }
    return value;
}

int main(int argc, char **argv) {
    size_t side = argc > 1 ? number(argv[1], 4, "side") : 600;
    size_t steps = argc > 2 ? number(argv[2], 1, "steps") : 500;
    double *now = plate(side), *next = plate(side);

    double change = INFINITY;
    size_t done = 0;
    while (done < steps && change > TOLERANCE) {
        change = step(side, now, next);
        double *old = now;
        now = next;
        next = old;
        done++;
    }

    long bins[BINS] = {0};
#pragma omp parallel
#pragma omp single
    count(now, 0, side * side, bins);

    printf("%zu steps, last change %.6f, threads %d\n", done, change, omp_get_max_threads());
    long total = 0;
    for (int bin = 0; bin < BINS; bin++) {
        total += bins[bin];
        printf("%5.1f to %5.1f degrees: %ld cells\n", bin * 100.0 / BINS, (bin + 1) * 100.0 / BINS, bins[bin]);
    }
    free(now);
    free(next);
    return total == (long)(side * side) ? 0 : 1;
}
