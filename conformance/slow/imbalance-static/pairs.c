// A small molecular simulation. Each pair of atoms is computed once, so atom i has n - i - 1 partners.
// slow: cause: imbalance-static
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: schedule(dynamic)
// slow: flags: -lm
#include "../slow.h"

enum { ATOMS = 1600 };

static double x[ATOMS], y[ATOMS], z[ATOMS];
static double vx[ATOMS], vy[ATOMS], vz[ATOMS];
static double energy_of[ATOMS];

static void place(void) {
#pragma omp parallel for
    for (int i = 0; i < ATOMS; i++) {
        x[i] = i % 12 + 0.2 * fraction(3 * i);
        y[i] = i / 12 % 12 + 0.2 * fraction(3 * i + 1);
        z[i] = i / 144 + 0.2 * fraction(3 * i + 2);
        vx[i] = fraction(7 * i) - 0.5;
        vy[i] = fraction(7 * i + 1) - 0.5;
        vz[i] = fraction(7 * i + 2) - 0.5;
    }
}

static double pair(int i, int j) {
    double dx = x[i] - x[j], dy = y[i] - y[j], dz = z[i] - z[j];
    double square = dx * dx + dy * dy + dz * dz + 0.01;
    double inverse = 1.0 / square, cube = inverse * inverse * inverse;
    return cube * (cube - 1.0);
}

// The potential energy, one row of the triangle for each atom.
static void potential(void) {
#ifdef MENDED
#pragma omp parallel for schedule(dynamic, 16)
#else
#pragma omp parallel for // slow: here
#endif
    for (int i = 0; i < ATOMS; i++) {
        double sum = 0.0;
        for (int j = i + 1; j < ATOMS; j++) sum += pair(i, j);
        energy_of[i] = sum;
    }
}

// Each atom drifts in its box and turns round at the walls.
static void drift(double step) {
#pragma omp parallel for
    for (int i = 0; i < ATOMS; i++) {
        x[i] += step * vx[i];
        y[i] += step * vy[i];
        z[i] += step * vz[i];
        if (x[i] < 0.0 || x[i] > 12.0) vx[i] = -vx[i];
        if (y[i] < 0.0 || y[i] > 12.0) vy[i] = -vy[i];
        if (z[i] < 0.0 || z[i] > 12.0) vz[i] = -vz[i];
    }
}

// The pressure on a lattice of probes; each probe sees every atom.
static double pressure(void) {
    double sum = 0.0;
#pragma omp parallel for reduction(+ : sum)
    for (int probe = 0; probe < 96; probe++) {
        double px = probe % 4 * 3.0, py = probe / 4 % 4 * 3.0, pz = probe / 16 * 2.0, near = 0.0;
        for (int i = 0; i < ATOMS; i++) {
            double dx = x[i] - px, dy = y[i] - py, dz = z[i] - pz;
            near += 1.0 / (1.0 + dx * dx + dy * dy + dz * dz);
        }
        sum += near;
    }
    return sum;
}

int main(int argc, char **argv) {
    long steps = repeated(argc, argv, 480);
    double pressed = 0.0, total = 0.0;
    place();
    for (long step = 0; step < steps; step++) {
        potential();
        drift(1e-4);
        pressed += pressure();
    }
    for (int i = 0; i < ATOMS; i++) total += energy_of[i];
    return finish(isfinite(total) && pressed > 0.0, pressed);
}
