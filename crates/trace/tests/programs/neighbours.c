// Regions one after the other. gcc with optimization gives their calls the lines of neighbouring statements.
#include <omp.h>

double a[1000], b[1000];

static inline __attribute__((always_inline)) void fill(double *x, int n) {
#pragma omp parallel for // fill
    for (int i = 0; i < n; i++) x[i] += i;
}

int main(void) {
    double s = 0;
    for (int i = 0; i < 1000; i++) a[i] = i;
#pragma omp parallel for reduction(+ : s) // first
    for (int i = 0; i < 1000; i++) s += a[i];
#pragma omp parallel // second
    {
        b[omp_get_thread_num()] += s;
    }
#pragma omp parallel for ordered schedule(dynamic) // third
    for (int i = 0; i < 100; i++) {
        double t = a[i] * 2;
        b[i] = t;
#pragma omp ordered
        s += t;
    }
    fill(b, (int)s);
    return 0;
}
