// Reductions on float, double, long double and complex: sum, product, minimum and maximum, all exact in binary.
// OpenMP 5.1, 2.21.5
//@ libs: atomic
#include <complex.h>

#include "check.h"

int main(void) {
    enum { N = 256 };
    for (int round = 0; round < 5; round++) {
        float f = 0.5f, fmin = 1e30f, fmax = -1e30f;
        double d = -1, product = 1, dmin = 1e300, dmax = -1e300;
        long double ld = 0, ldmax = -1;
        double _Complex z = 1;
        float _Complex zf = 0;
#pragma omp parallel for reduction(+ : f, d, ld, z, zf) reduction(* : product) reduction(min : fmin, dmin) \
    reduction(max : fmax, dmax, ldmax) schedule(dynamic, 7)
        for (int i = 0; i < N; i++) {
            double value = (i * 73 % N) - 100;
            f += 0.25f, d += 0.5, ld += 0.125L;
            z += 1 - 2 * I, zf += I;
            if (i % 64 == 0) product *= 2;
            if (value < fmin) fmin = (float)value;
            if (value > fmax) fmax = (float)value;
            if (value < dmin) dmin = value;
            if (value > dmax) dmax = value;
            if (value > ldmax) ldmax = value;
        }
        CHECK(f == 64.5f, "%g", f);
        CHECK(d == 127, "%g", d);
        CHECK(ld == 32, "%Lg", ld);
        CHECK(product == 16, "%g", product);
        CHECK(creal(z) == 257 && cimag(z) == -512, "%g %g", creal(z), cimag(z));
        CHECK(crealf(zf) == 0 && cimagf(zf) == 256, "%g", cimagf(zf));
        CHECK(fmin == -100 && dmin == -100, "%g %g", fmin, dmin);
        CHECK(fmax == 155 && dmax == 155 && ldmax == 155, "%g %g %Lg", fmax, dmax, ldmax);
    }
    return verdict();
}
