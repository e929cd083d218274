// One thread comes to a barrier when the other one sleeps there.
#include "rest.h"
#include <omp.h>

__attribute__((noinline)) static void stop(void)
{
    __asm__ volatile("");
}

int main(void)
{
    int after[2];
#pragma omp parallel num_threads(2)
    {
        int me = omp_get_thread_num();
        if (me == 1)
            others_rest(1), stop();
#pragma omp barrier
        after[me] = me;
    }
    return after[0] + after[1] - 1;
}
