// Static schedule without chunk: each iteration once, in one contiguous block a thread, in thread order, all sizes around
// multiples of the team. OpenMP 5.1, 2.11.4 (worksharing-loop construct), table 2.5
#include "check.h"

int main(void) {
    int threads = omp_get_max_threads();
    for (int n = 0; n <= 70; n++) {
        int owner[70];
        for (int i = 0; i < 70; i++) owner[i] = -1;
#pragma omp parallel
#pragma omp for schedule(static)
        for (int i = 0; i < n; i++) {
            CHECK_EQ(owner[i], -1);
            owner[i] = omp_get_thread_num();
        }
        int largest = 0, smallest = n, count[64] = {0};
        for (int i = 0; i < n; i++) {
            CHECK(owner[i] >= 0 && owner[i] < threads, "n %d i %d owner %d", n, i, owner[i]);
            if (i) CHECK(owner[i] >= owner[i - 1], "n %d i %d: blocks are not in thread order", n, i);
            count[owner[i]]++;
        }
        for (int t = 0; t < threads; t++) {
            if (count[t] > largest) largest = count[t];
            if (count[t] < smallest) smallest = count[t];
        }
        CHECK(largest <= (n + threads - 1) / threads, "n %d: a block of %d", n, largest);
    }
    return verdict();
}
