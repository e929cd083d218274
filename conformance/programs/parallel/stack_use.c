// Each thread has a stack of its own that takes a few hundred KiB of locals and recursion.
// OpenMP 5.1, 2.6 and 6.7 (OMP_STACKSIZE)
#include "check.h"

static long depth(int n) {
    volatile char room[1024];
    room[n % 1024] = (char)n;
    return n == 0 ? room[0] : 1 + depth(n - 1) + 0 * room[n % 1024];
}

int main(void) {
#pragma omp parallel
    {
        volatile unsigned char local[256 * 1024];
        unsigned char me = (unsigned char)omp_get_thread_num();
        for (unsigned i = 0; i < sizeof local; i += 64) local[i] = me;
#pragma omp barrier
        int wrong = 0;
        for (unsigned i = 0; i < sizeof local; i += 64) wrong += local[i] != me;
        CHECK_EQ(wrong, 0);
        CHECK_EQ(depth(300), 300);
    }
    return verdict();
}
