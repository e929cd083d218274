// Air flows in two rooms, a thread for each. Each of these threads makes a team of four, although the CPUs are taken.
// slow: cause: nested-oversubscription
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: num_threads or max-active-levels
#include <omp.h>

#include "../slow.h"

#ifdef MENDED
enum { INNER = 1 };
#else
enum { INNER = 4 };
#endif
enum { ROOMS = 2, SIDE = 96 };

static double air[ROOMS][SIDE][SIDE], next[ROOMS][SIDE][SIDE];

static void start(void) {
#pragma omp parallel for
    for (int room = 0; room < ROOMS; room++)
        for (int y = 0; y < SIDE; y++)
            for (int x = 0; x < SIDE; x++) air[room][y][x] = next[room][y][x] = fraction((room * SIDE + y) * SIDE + x);
}

static void blow(double from[SIDE][SIDE], double to[SIDE][SIDE], int y) {
    for (int x = 1; x < SIDE - 1; x++) {
        double around = from[y - 1][x] + from[y + 1][x] + from[y][x - 1] + from[y][x + 1];
        to[y][x] = 0.5 * from[y][x] + 0.125 * around / (1.0 + 0.01 * from[y][x]);
    }
}

static void ventilate(int room, int steps) {
#pragma omp parallel num_threads(INNER) // slow: here
    for (int step = 0; step < steps; step++) {
#pragma omp for
        for (int y = 1; y < SIDE - 1; y++) blow(air[room], next[room], y);
#pragma omp for
        for (int y = 1; y < SIDE - 1; y++) blow(next[room], air[room], y);
    }
}

int main(int argc, char **argv) {
    long hours = repeated(argc, argv, 350);
    double sum = 0.0;
    omp_set_max_active_levels(2);
    start();
    for (long hour = 0; hour < hours; hour++) {
#pragma omp parallel for num_threads(ROOMS) // slow: or here
        for (int room = 0; room < ROOMS; room++) ventilate(room, 50);
    }
    for (int y = 0; y < SIDE; y++) sum += air[0][y][y] + air[1][y][y];
    return finish(sum > 0.0, sum);
}
