// Particles in a cell: each thread adds its particles to a density of its own. One thread then adds up the densities.
// slow: cause: master-does-the-sum
// slow: also: serial-phase
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: parallel for
#include <omp.h>
#include <string.h>

#include "../slow.h"

enum { PARTICLES = 40000, CELLS = 60000, MOST_THREADS = 16 };

static double place[PARTICLES], speed[PARTICLES];
static double density[CELLS + 1], own_density[MOST_THREADS][CELLS + 8], force[CELLS + 1];

static void scatter(void) {
#pragma omp parallel for
    for (int i = 0; i < PARTICLES; i++) {
        place[i] = fraction(i) * (CELLS - 1);
        speed[i] = fraction(i + PARTICLES) - 0.5;
    }
}

// Each particle belongs to two cells; the weights are dyadic, so that the order of the sums does not matter.
static void deposit(void) {
#pragma omp parallel
    {
        double *own = own_density[omp_get_thread_num()];
        memset(own, 0, CELLS * sizeof *own);
#pragma omp for
        for (int i = 0; i < PARTICLES; i++) {
            int cell = (int)place[i];
            double rest = (int)((place[i] - cell) * 256) / 256.0;
            own[cell] += 1.0 - rest;
            own[cell + 1] += rest;
        }
    }
}

static void collect(int threads) {
#ifdef MENDED
#pragma omp parallel for
#endif
    for (int cell = 0; cell < CELLS; cell++) { // slow: here
        double sum = 0.0;
        for (int thread = 0; thread < threads; thread++) sum += own_density[thread][cell];
        density[cell] = sum / (1.0 + 0.01 * sum);
    }
}

static void accelerate(void) {
#pragma omp parallel
    {
#pragma omp for
        for (int cell = 1; cell < CELLS; cell++) force[cell] = 1e-3 * (density[cell - 1] - density[cell]);
#pragma omp for
        for (int i = 0; i < PARTICLES; i++) {
            speed[i] += force[(int)place[i]];
            place[i] += speed[i];
            if (place[i] < 0.0 || place[i] >= CELLS - 1) {
                speed[i] = -speed[i];
                place[i] = place[i] < 0.0 ? 0.0 : CELLS - 1.5;
            }
        }
    }
}

static double energy(void) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int i = 0; i < PARTICLES; i++) sum += 0.5 * speed[i] * speed[i];
    return sum;
}

int main(int argc, char **argv) {
    long steps = repeated(argc, argv, 3000);
    double sum = 0.0;
    int good = 1;
    scatter();
    for (long step = 0; step < steps; step++) {
        deposit();
        collect(omp_get_max_threads()); // slow: or here
        accelerate();
        good = good && isfinite(energy());
    }
    for (int cell = 0; cell < CELLS; cell++) sum += density[cell];
    return finish(good && isfinite(sum) && sum > 0.0, sum);
}
