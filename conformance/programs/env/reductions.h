// Every kind of reduction gives its result.
#include "check.h"

int main(void) {
    int n = omp_get_max_threads();
    for (int round = 0; round < 20; round++) {
        long sum = round, all = -1;
        double real = 0.5;
        int largest = -1;
#pragma omp parallel reduction(+ : sum, real) reduction(max : largest) reduction(& : all)
        {
            int me = omp_get_thread_num();
            sum += me;
            real += 0.25;
            largest = me;
            all &= ~(1L << (me % 40));
        }
        CHECK_EQ(sum, round + (long)n * (n - 1) / 2);
        CHECK(real == 0.5 + 0.25 * n, "%g", real);
        CHECK_EQ(largest, n - 1);
        CHECK_EQ(all, ~((1L << (n < 40 ? n : 40)) - 1));
    }
    return verdict();
}
