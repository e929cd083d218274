// scope with several reductions, nowait followed by a barrier, firstprivate, in a team of one, outside any region, and in a loop so that
// scopes overlap. OpenMP 5.1, 2.9 (scope construct)
//@ compilers: gcc
//@ needs: gcc 12
#include "check.h"

static int serial_sum;

static void orphaned(int round) {
#pragma omp scope reduction(+ : serial_sum)
    serial_sum += round;
}

int main(void) {
    int threads = omp_get_max_threads();
    orphaned(3);
    CHECK_EQ(serial_sum, 3);
    serial_sum = 0;
#pragma omp parallel
    for (int round = 1; round <= 20; round++) orphaned(round);
    CHECK_EQ(serial_sum, 210 * threads);
    for (int round = 0; round < 10; round++) {
        long sum = 0, product = 1;
        int bits = 0, all = ~0, most = -1;
        double real = 0;
#pragma omp parallel
        {
            int me = omp_get_thread_num();
#pragma omp scope nowait reduction(+ : sum, real) reduction(| : bits) reduction(& : all)
            {
                sum += me + 1;
                real += 0.5;
                bits |= 1 << me % 30;
                all &= ~(1 << me % 30);
            }
#pragma omp scope nowait reduction(max : most) reduction(* : product)
            {
                most = me;
                product *= me % 2 + 1;
            }
#pragma omp barrier
            CHECK_EQ(sum, (long)threads * (threads + 1) / 2);
            CHECK_EQ(most, threads - 1);
        }
        int want = 0;
        long factors = 1;
        for (int t = 0; t < threads; t++) want |= 1 << t % 30, factors *= t % 2 + 1;
        CHECK_EQ(bits, want);
        CHECK_EQ(all, ~want);
        CHECK_EQ(product, factors);
        CHECK(real == 0.5 * threads, "%g", real);
    }
    return verdict();
}
