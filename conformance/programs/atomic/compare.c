// atomic compare: minimum, maximum and compare-and-swap, with a claim that only one thread can win.
// OpenMP 5.1, 2.19.7 (compare clause)
//@ needs: clang 16, gcc 12
#include "check.h"

int main(void) {
    int low = 1 << 30, high = -1, owner = -1, winners = 0, n = 50;
#pragma omp parallel reduction(+ : winners)
    {
        int me = omp_get_thread_num();
        for (int i = 0; i < n; i++) {
            int value = (i * 37 + me * 11) % 1009;
#pragma omp atomic compare
            if (value < low) { low = value; }
#pragma omp atomic compare
            if (value > high) { high = value; }
        }
        int seen;
#pragma omp atomic compare capture
        {
            seen = owner;
            if (owner == -1) { owner = me; }
        }
        winners += seen == -1;
    }
    int least = 1 << 30, most = -1;
    for (int me = 0; me < omp_get_max_threads(); me++)
        for (int i = 0; i < n; i++) {
            int value = (i * 37 + me * 11) % 1009;
            if (value < least) least = value;
            if (value > most) most = value;
        }
    CHECK_EQ(low, least);
    CHECK_EQ(high, most);
    CHECK_EQ(winners, 1);
    CHECK(owner >= 0 && owner < omp_get_max_threads(), "%d", owner);
    return verdict();
}
