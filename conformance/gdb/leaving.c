// The end of a region with tasks, where the primary thread goes on alone: a debugger that holds the other one sees the two leave.
#include "rest.h"
#include <omp.h>

static volatile int stopped, done;

__attribute__((noinline)) static void stop(void)
{
    stopped++;
}

int main(void)
{
    stopped = 0; // A debugger's `start` stops here, before the region.
#pragma omp parallel num_threads(2)
    {
        if (omp_get_thread_num() == 0) {
            others_rest(1);
            for (int task = 0; task < 4; task++) {
#pragma omp task
                done++;
            }
#pragma omp taskwait
            others_rest(1);
            stop();
            alarm(1); // It stops the thread where it waits.
        }
    }
    return 0;
}
