// Four threads in a region: three wait at a barrier, the last one has a task with a task in it and stops there.
#include "rest.h"
#include <omp.h>

static volatile int stopped;

__attribute__((noinline)) static void stop(void)
{
    stopped++;
}

__attribute__((noinline)) static void work(void)
{
#pragma omp task if (0)
    {
#pragma omp task if (0)
        {
            others_rest(3);
            stop();
        }
    }
}

int main(void)
{
    stopped = 0; // A debugger's `start` stops here, before the region.
#pragma omp parallel num_threads(4)
    {
        if (omp_get_thread_num() == 3)
            work();
#pragma omp barrier
    }
    return 0;
}
