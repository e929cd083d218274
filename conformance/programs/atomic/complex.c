// Atomics on complex types, which gcc does not take: float, double and long double complex, also read and captured.
// OpenMP 5.1, 2.19.7
//@ compilers: clang
//@ libs: atomic
#include <complex.h>

#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), rounds = 60;
    float _Complex small = 0;
    double _Complex wide = 1 + 1 * I, seen;
    long double _Complex widest = 0;
#pragma omp parallel private(seen)
    for (int i = 0; i < rounds; i++) {
#pragma omp atomic
        small += 1 + 2 * I;
#pragma omp atomic
        wide = wide + (2 - 1 * I);
#pragma omp atomic
        widest += 3 * I;
#pragma omp atomic read
        seen = wide;
        CHECK(creal(seen) - 1 == -2 * (cimag(seen) - 1), "torn value %g %g", creal(seen), cimag(seen));
    }
    long n = (long)threads * rounds;
    CHECK(crealf(small) == n && cimagf(small) == 2 * n, "%g %g", crealf(small), cimagf(small));
    CHECK(creal(wide) == 1 + 2 * n && cimag(wide) == 1 - n, "%g %g", creal(wide), cimag(wide));
    CHECK(creall(widest) == 0 && cimagl(widest) == 3 * n, "%Lg", cimagl(widest));
    return verdict();
}
