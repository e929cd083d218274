// Finite elements on a line: each step assembles the matrix alone, then all threads iterate on the solution.
// slow: cause: serial-phase
// slow: compilers: gcc clang
// slow: threads: 2
// slow: try: parallel for
// slow: flags: -lm
#include "../slow.h"

enum { NODES = 60000 };

static double lower[NODES], diagonal[NODES], upper[NODES], right[NODES];
static double now[NODES], next[NODES];

static double stiffness(int element, double time) {
    double place = (double)element / NODES;
    return 1.0 + 0.5 * sin(6.0 * place + time) + 0.1 * cos(40.0 * place);
}

// The entries of each node come from its two elements.
static void assemble(double time) {
#ifdef MENDED
#pragma omp parallel for
#endif
    for (int node = 0; node < NODES; node++) { // slow: here
        double before = stiffness(node, time), after = stiffness(node + 1, time);
        lower[node] = -before;
        upper[node] = -after;
        diagonal[node] = before + after + 1.0;
        right[node] = 1.0 + 0.01 * before;
    }
}

static void iterate(void) {
#pragma omp parallel
    for (int round = 0; round < 20; round++) {
#pragma omp for
        for (int node = 1; node < NODES - 1; node++)
            next[node] = (right[node] - lower[node] * now[node - 1] - upper[node] * now[node + 1]) / diagonal[node];
#pragma omp for
        for (int node = 1; node < NODES - 1; node++)
            now[node] = (right[node] - lower[node] * next[node - 1] - upper[node] * next[node + 1]) / diagonal[node];
    }
}

static double size(void) {
    double most = 0.0;
#pragma omp parallel for reduction(max : most)
    for (int node = 0; node < NODES; node++) most = fmax(most, fabs(now[node]));
    return most;
}

int main(int argc, char **argv) {
    long steps = repeated(argc, argv, 220);
    double sum = 0.0;
    for (long step = 0; step < steps; step++) {
        assemble(step * 0.01); // slow: or here
        iterate();
        sum += size();
    }
    return finish(isfinite(sum) && sum > 0.0, sum);
}
