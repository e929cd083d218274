// The shortest of many random tours. A critical section is entered only for a tour that may be the shortest.
// slow: cause: none
// slow: compilers: gcc clang
// slow: threads: 2
// slow: flags: -lm
#include "../slow.h"

enum { CITIES = 60, TOURS = 2000 };

static double x[CITIES], y[CITIES], shortest;
static long best_tour;

static void found(void) {
    for (int city = 0; city < CITIES; city++) {
        x[city] = fraction(2 * city);
        y[city] = fraction(2 * city + 1);
    }
}

// A random tour, improved by exchanges of neighbours.
static double tour(long number) {
    int order[CITIES];
    double length = 0.0;
    for (int i = 0; i < CITIES; i++) order[i] = i;
    for (int i = CITIES - 1; i > 0; i--) {
        int k = (int)(mixed(number * CITIES + i) % (unsigned)(i + 1)), kept = order[i];
        order[i] = order[k];
        order[k] = kept;
    }
    for (int i = 0; i < CITIES; i++) {
        int a = order[i], b = order[(i + 1) % CITIES];
        length += sqrt((x[a] - x[b]) * (x[a] - x[b]) + (y[a] - y[b]) * (y[a] - y[b]));
    }
    return length;
}

static void search(long round) {
#pragma omp parallel for schedule(static)
    for (int i = 0; i < TOURS; i++) {
        long number = round * TOURS + i;
        double length = tour(number), known;
#pragma omp atomic read
        known = shortest;
        if (length >= known) continue;
#pragma omp critical
        if (length < shortest) {
#pragma omp atomic write
            shortest = length;
            best_tour = number;
        }
    }
}

int main(int argc, char **argv) {
    long rounds = repeated(argc, argv, 1000);
    shortest = 1e9;
    found();
    for (long round = 0; round < rounds; round++) search(round);
    return finish(shortest > 0.0 && best_tour >= 0, shortest);
}
