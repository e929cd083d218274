// The sieve of Eratosthenes: one parallel loop a prime, then a count by reduction and a twin count with a guided schedule.
// OpenMP 5.1, 2.11.4
#include "check.h"

enum { LIMIT = 50000 };

static unsigned char composite[LIMIT + 1];

int main(void) {
    int primes = 0, twins = 0;
#pragma omp parallel
    for (int p = 2; p * p <= LIMIT; p++) {
        if (composite[p]) continue;
#pragma omp for schedule(static)
        for (int m = p * p; m <= LIMIT; m += p) composite[m] = 1;
    }
#pragma omp parallel
    {
#pragma omp for reduction(+ : primes) schedule(dynamic, 500) nowait
        for (int i = 2; i <= LIMIT; i++) primes += !composite[i];
#pragma omp for reduction(+ : twins) schedule(guided)
        for (int i = 2; i <= LIMIT - 2; i++) twins += !composite[i] && !composite[i + 2];
    }
    CHECK_EQ(primes, 5133);
    CHECK_EQ(twins, 705);
    return verdict();
}
