// Every predefined reduction operator on integers, with the original value taken part of, at parallel and at loop level.
// OpenMP 5.1, 2.21.5 (reduction clauses)
#include "check.h"

int main(void) {
    int n = 200;
    int sum = 5, difference = 7, product = 3, low = 1000, high = -1000;
    unsigned conj = ~0u, disj = 0x100, excl = 0xff00;
    int all = 1, any = 0, none = 1;
#pragma omp parallel for reduction(+ : sum) reduction(* : product) reduction(min : low) reduction(max : high) \
    reduction(& : conj) reduction(| : disj) reduction(^ : excl) reduction(&& : all, none) reduction(|| : any)
    for (int i = 0; i < n; i++) {
        sum += i;
        if (i % 50 == 49) product *= 2;
        if ((i * 37) % n < low) low = (i * 37) % n;
        if ((i * 37) % n > high) high = (i * 37) % n;
        conj &= ~(1u << (i % 5));
        disj |= 1u << (i % 7);
        excl ^= (unsigned)i;
        all = all && i < n;
        none = none && i != 100;
        any = any || i == 199;
    }
#pragma omp parallel for reduction(- : difference)
    for (int i = 0; i < n; i++) difference -= i;
    unsigned want = 0xff00;
    for (int i = 0; i < n; i++) want ^= (unsigned)i;
    CHECK_EQ(sum, 5 + n * (n - 1) / 2);
    CHECK_EQ(difference, 7 - n * (n - 1) / 2);
    CHECK_EQ(product, 3 * 16);
    CHECK_EQ(low, 0);
    CHECK_EQ(high, n - 1);
    CHECK_EQ(conj, ~0x1fu);
    CHECK_EQ(disj, 0x17f);
    CHECK_EQ(excl, want);
    CHECK_EQ(all, 1);
    CHECK_EQ(none, 0);
    CHECK_EQ(any, 1);
    return verdict();
}
