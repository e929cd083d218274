// Conjugate gradients on a sparse system in one region: dot products by reduction, vector updates by nowait loops, scalars in
// single. OpenMP 5.1, 2.11.4, 2.21.5
#include "check.h"

enum { N = 150 };

static double x[N], r[N], p[N], q[N];

int main(void) {
    double rr = 0, pq = 0, next = 0, alpha = 0;
    int steps = 0, going = 1;
    for (int i = 0; i < N; i++) r[i] = p[i] = 1 + i % 3;
    for (int i = 0; i < N; i++) rr += r[i] * r[i];
#pragma omp parallel
    while (going) {
#pragma omp for schedule(static) reduction(+ : pq)
        for (int i = 0; i < N; i++) {
            q[i] = 3 * p[i] - (i > 0 ? p[i - 1] : 0) - (i < N - 1 ? p[i + 1] : 0);
            pq += p[i] * q[i];
        }
#pragma omp single
        alpha = rr / pq;
#pragma omp for schedule(static) nowait
        for (int i = 0; i < N; i++) x[i] += alpha * p[i];
#pragma omp for schedule(static) reduction(+ : next)
        for (int i = 0; i < N; i++) {
            r[i] -= alpha * q[i];
            next += r[i] * r[i];
        }
#pragma omp for schedule(static)
        for (int i = 0; i < N; i++) p[i] = r[i] + next / rr * p[i];
#pragma omp single
        {
            rr = next;
            next = pq = 0;
            going = ++steps < 100 && rr > 1e-18;
        }
    }
    CHECK(steps < 60, "%d steps", steps);
    for (int i = 0; i < N; i++) {
        double ax = 3 * x[i] - (i > 0 ? x[i - 1] : 0) - (i < N - 1 ? x[i + 1] : 0), off = ax - (1 + i % 3);
        CHECK(off < 1e-6 && off > -1e-6, "%d: %g", i, off);
    }
    return verdict();
}
