// Atomics on __float128, 16 bytes that no instruction adds to: through the lock (gcc) or libatomic (clang). OpenMP 5.1, 2.19.7
//@ libs: atomic
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads(), rounds = 40;
    __float128 sum = 0, product = 1, swapped = -1, before;
    int torn = 0;
    double total = 0;
#pragma omp parallel private(before) reduction(+ : total)
    for (int i = 0; i < rounds; i++) {
#pragma omp atomic
        sum += (__float128)1 / 4;
#pragma omp atomic
        product *= -1;
        __float128 mine = i + 1;
#pragma omp atomic capture
        {
            before = swapped;
            swapped = mine;
        }
        total += (double)before;
#pragma omp atomic read
        before = product;
        if (before != 1 && before != -1) {
#pragma omp atomic
            torn++;
        }
    }
    CHECK(sum == (__float128)(threads * rounds) / 4, "%g", (double)sum);
    CHECK(product == 1, "%g", (double)product);
    CHECK_EQ(torn, 0);
    CHECK(total + (double)swapped == -1 + threads * (rounds * (rounds + 1) / 2), "%g", total);
    return verdict();
}
