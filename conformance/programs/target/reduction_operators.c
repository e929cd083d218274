// Every reduction operator on target parallel for. OpenMP 5.1, 2.21.5
//@ devices: 1 3
#include <stdbool.h>

#include "device.h"

#define N 100

int main(void) {
    int plus = 1, minus = 0, and = -1, or = 0, xor = 5, maximum = -5, minimum = 5000;
    long long times = 1;
    bool all = true, any = false, odd = true;
    double fplus = 0.5, fmax = -1, fmin = 1;
#pragma omp target parallel for map(tofrom : plus, minus, and, or, xor, maximum, minimum, times, all, any, odd, fplus, fmax, fmin) \
    reduction(+ : plus, minus, fplus) reduction(& : and) reduction(| : or) reduction(^ : xor) reduction(max : maximum, fmax)       \
    reduction(min : minimum, fmin) reduction(* : times) reduction(&& : all, odd) reduction(|| : any)
    for (int i = 0; i < N; i++) {
        plus += i;
        minus -= i;
        and &= ~(1 << i % 8);
        or |= 1 << i % 16;
        xor ^= i;
        if (3 * i > maximum) maximum = 3 * i;
        if (1000 - i < minimum) minimum = 1000 - i;
        if (i < 20) times *= i % 3 + 1;
        all = all && i >= 0;
        any = any || i == 77;
        odd = odd && i % 2;
        fplus += 0.25;
        if (i * 0.5 > fmax) fmax = i * 0.5;
        if (-i * 0.5 < fmin) fmin = -i * 0.5;
    }
    CHECK_EQ(plus, 4951);
    CHECK_EQ(minus, -4950);
    CHECK_EQ(and, ~255);
    CHECK_EQ(or, 65535);
    int want = 5;
    long long product = 1;
    for (int i = 0; i < N; i++) want ^= i;
    for (int i = 0; i < 20; i++) product *= i % 3 + 1;
    CHECK_EQ(xor, want);
    CHECK_EQ(times, product);
    CHECK_EQ(maximum, 297);
    CHECK_EQ(minimum, 901);
    CHECK(all && any && !odd, "%d %d %d", all, any, odd);
    CHECK(fplus == 25.5 && fmax == 49.5 && fmin == -49.5, "%g %g %g", fplus, fmax, fmin);
    return verdict();
}
