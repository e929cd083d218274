// atomic capture hands out each ticket once and swaps without losing a value; write and read carry whole 64-bit words.
// OpenMP 5.1, 2.19.7
#include "check.h"

int main(void) {
    enum { EACH = 50, MOST = 33 * EACH };
    static int taken[MOST];
    int threads = omp_get_max_threads(), ticket = 0, token = -1;
    long sum = 0;
    unsigned long word = 0;
#pragma omp parallel reduction(+ : sum)
    for (int i = 0; i < EACH; i++) {
        int mine, previous;
#pragma omp atomic capture
        mine = ticket++;
#pragma omp atomic
        taken[mine]++;
        // A swap: what is put in comes out exactly once, apart from the last one.
#pragma omp atomic capture
        {
            previous = token;
            token = mine;
        }
        sum += previous;
        unsigned long half = (unsigned long)(omp_get_thread_num() + 1), seen;
#pragma omp atomic write
        word = half << 32 | half;
#pragma omp atomic read
        seen = word;
        CHECK((seen >> 32) == (seen & 0xffffffff), "torn word %lx", seen);
    }
    int n = threads * EACH;
    CHECK_EQ(ticket, n);
    for (int i = 0; i < n; i++) CHECK_EQ(taken[i], 1);
    CHECK_EQ(sum + token, (long)n * (n - 1) / 2 - 1);
    return verdict();
}
