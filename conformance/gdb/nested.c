// Regions within regions, one of them serialised, and a place to stop in the innermost.
#include "rest.h"
#include <omp.h>

static volatile int stopped;

__attribute__((noinline)) static void stop(void)
{
    stopped++;
}

__attribute__((noinline)) static void innermost(int outer, int inner)
{
#pragma omp parallel if (0)
    {
        if (outer == 1 && inner == 1) {
            others_rest(2);
            stop();
        }
    }
}

__attribute__((noinline)) static void middle(int outer)
{
#pragma omp parallel num_threads(2)
    innermost(outer, omp_get_thread_num());
}

int main(void)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 1)
            middle(1);
#pragma omp barrier
    }
    return 0;
}
